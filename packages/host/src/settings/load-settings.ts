import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { HostError } from '@toolpost/protocol';
import { readSettingsText } from './read-settings-text.ts';
import type { Settings, SettingsFile } from './settings-schema.ts';

export interface LoadSettingsOptions {
  /** Absolute; its `config.json` may be missing. */
  homeDir: string;
  /** Takes the place of the home's `config.json`, and must exist. Relative to the current directory. */
  configFile?: string;
}

/**
 * Reads the user's configuration, every section filled in and every path made absolute.
 * @throws HostError CONFIG_INVALID that names the file, and the dotted path or the line of what is wrong.
 */
export function loadSettings(options: LoadSettingsOptions): { settings: Settings; warnings: string[] } {
  const file = resolve(options.configFile ?? join(options.homeDir, 'config.json'));
  const content = readText(file, options.configFile !== undefined);
  if (content === undefined) return { settings: completeSettings({}, options.homeDir), warnings: [] };
  const { settings, warnings } = readSettingsText(content, file);
  return { settings: completeSettings(settings, dirname(file)), warnings };
}

function readText(file: string, isRequired: boolean): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT' && !isRequired) return undefined;
    const reason = code === 'ENOENT' ? 'does not exist' : `cannot be read (${code ?? error})`;
    throw new HostError('CONFIG_INVALID', `the configuration file ${file} ${reason}`, { cause: error });
  }
}

function completeSettings(file: SettingsFile, baseDir: string): Settings {
  const { plugins = {}, permissions = {}, tenants = {}, model, maxTools, contextTokens, maxSteps } = file;
  return {
    ...(model !== undefined && { model }),
    ...(maxTools !== undefined && { maxTools }),
    ...(contextTokens !== undefined && { contextTokens }),
    ...(maxSteps !== undefined && { maxSteps }),
    plugins: {
      dirs: absolutePaths(plugins.dirs, baseDir),
      disabled: plugins.disabled ?? [],
      settings: plugins.settings ?? {},
    },
    mcpServers: Object.fromEntries(
      Object.entries(file.mcpServers ?? {}).map(([id, server]) => [
        id,
        server.cwd === undefined ? server : { ...server, cwd: absolutePath(server.cwd, baseDir) },
      ]),
    ),
    permissions: { allow: [], ask: [], deny: [], ...permissions },
    toolPolicy: file.toolPolicy ?? {},
    channels: file.channels ?? {},
    limits: file.limits ?? {},
    tenants: Object.fromEntries(
      Object.entries(tenants).map(([id, tenant]) => [
        id,
        tenant.roots ? { ...tenant, roots: tenant.roots.map((root) => absoluteRoot(root, baseDir)) } : tenant,
      ]),
    ),
  };
}

/** `~/` is the user's home directory: a configuration file is read by no shell. */
function absolutePaths(paths: readonly string[] = [], baseDir: string): string[] {
  return paths.map((path) => absolutePath(path, baseDir));
}

function absoluteRoot<Root extends { path: string }>(root: Root, baseDir: string): Root {
  return { ...root, path: absolutePath(root.path, baseDir) };
}

function absolutePath(path: string, baseDir: string): string {
  return path === '~' || path.startsWith('~/') ? join(homedir(), path.slice(1)) : resolve(baseDir, path);
}
