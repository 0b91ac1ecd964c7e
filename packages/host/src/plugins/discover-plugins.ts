import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { DiscoveredPlugin, PluginOrigin } from '../runtimes/runtime.ts';
import type { McpServerSettings } from '../settings/settings-schema.ts';
import type { PluginProblem, PluginReading } from './plugin-reading.ts';
import { readNamedFolder, readPluginsFolder, readToolsFolder, requireFolder, type Source } from './plugin-sources.ts';
import { readMcpServers } from './read-mcp-servers.ts';

export interface DiscoverPluginsOptions {
  /** Given with `--plugins`: folders of plugins, or one plugin folder each. */
  pluginDirs?: readonly string[];
  /** Absolute. */
  homeDir: string;
  bundledDir?: string;
  /** Real paths of the roots whose project files were found trusted. Nothing of any other root is looked at. */
  trustedRoots?: readonly string[];
  settings: {
    readonly plugins: { readonly dirs: readonly string[]; readonly disabled: readonly string[] };
    readonly mcpServers?: Readonly<Record<string, McpServerSettings>>;
  };
  /** What `${NAME}` stands for in `mcpServers`. */
  environment?: Readonly<Record<string, string | undefined>>;
}

/** A plugin that was found; a disabled one is listed, and never started. */
export interface FoundPlugin extends DiscoveredPlugin {
  readonly disabled: boolean;
}

export interface Discovery {
  /** In the order of precedence: a tool of an earlier one shadows that of a later one. No two have one id. */
  plugins: FoundPlugin[];
  problems: PluginProblem[];
  warnings: string[];
}

/**
 * Finds every plugin that a host may load, without running any: `--plugins`, home, `plugins.dirs`, bundled, trusted
 * projects; inside one folder by id. A broken one is a problem and stops no other.
 * @throws HostError CONFIG_INVALID when a folder given with `--plugins` does not exist.
 */
export function discoverPlugins(options: DiscoverPluginsOptions): Discovery {
  const warnings: string[] = [];
  const servers = options.settings.mcpServers ?? {};
  const given = { servers, environment: options.environment ?? {} };
  const register = createRegister([...options.settings.plugins.disabled, ...disabledServers(servers)], warnings);
  const add = (origin: PluginOrigin, read: (source: Source) => PluginReading[]) =>
    read({ origin, warnings }).toSorted(byId).forEach(register.add);

  for (const dir of options.pluginDirs ?? []) add('flag', (source) => readNamedFolder(requireFolder(dir), source));
  add('home', (source) => readPluginsAndTools(options.homeDir, source));
  for (const dir of options.settings.plugins.dirs) add('config', (source) => readConfiguredFolder(dir, source));
  add('config', () => readMcpServers(given, undefined));
  const { bundledDir } = options;
  if (bundledDir !== undefined) add('bundled', (source) => readPluginsFolder(bundledDir, source));
  for (const root of options.trustedRoots ?? []) {
    add('project', (source) => readPluginsAndTools(join(root, '.toolpost'), source));
    add('project', () => readMcpServers(given, root));
  }
  return { plugins: register.plugins, problems: register.problems, warnings };
}

function disabledServers(servers: Readonly<Record<string, McpServerSettings>>): string[] {
  return Object.entries(servers).flatMap(([id, { disabled }]) => (disabled === true ? [id] : []));
}

function readPluginsAndTools(folder: string, source: Source): PluginReading[] {
  return [...readPluginsFolder(join(folder, 'plugins'), source), ...readToolsFolder(join(folder, 'tools'), source)];
}

function readConfiguredFolder(folder: string, source: Source): PluginReading[] {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return readNamedFolder(folder, source);
  source.warnings.push(`plugins.dirs: ${folder} is not a folder`);
  return [];
}

function idOf(reading: PluginReading): string {
  return 'plugin' in reading ? reading.plugin.id : (reading.problem.id ?? '');
}

function byId(a: PluginReading, b: PluginReading): number {
  const [idOfA, idOfB] = [idOf(a), idOf(b)];
  return idOfA === idOfB ? 0 : idOfA < idOfB ? -1 : 1;
}

/**
 * Keeps the first of those with one id. Ids fold case, since they name files and some file systems do. A broken plugin
 * keeps its id too: nothing takes the place of what was meant to stand before it.
 */
function createRegister(disabledIds: readonly string[], warnings: string[]) {
  const disabled = new Set(disabledIds.map((id) => id.toLowerCase()));
  const placeOfId = new Map<string, string>();
  const places = new Set<string>();
  const plugins: FoundPlugin[] = [];
  const problems: PluginProblem[] = [];

  function add(reading: PluginReading): void {
    const { file, dir, server } = 'plugin' in reading ? reading.plugin : reading.problem;
    const place = server === undefined ? (file ?? dir) : `mcpServers.${idOf(reading)}`;
    if (places.has(place)) return;
    places.add(place);
    const id = idOf(reading).toLowerCase();
    const earlier = id === '' ? undefined : placeOfId.get(id);
    if (earlier === undefined) placeOfId.set(id, place);
    if ('problem' in reading) problems.push(reading.problem);
    else if (earlier !== undefined) {
      warnings.push(
        `plugin ${reading.plugin.id} in ${place} is ignored: ${earlier} has the same id and was found first`,
      );
    } else {
      plugins.push({ ...reading.plugin, disabled: disabled.has(id) });
      warnings.push(...reading.warnings);
    }
  }
  return { add, plugins, problems };
}
