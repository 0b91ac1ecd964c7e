import { join } from 'node:path';
import { isJsonObject, type JsonObject } from '@toolpost/protocol';
import { readSettingsText } from './read-settings-text.ts';
import type { McpServerSettings, Settings, SettingsFile } from './settings-schema.ts';

/** What counts of a project's `config.json`: nothing here loosens a rule or sends a conversation elsewhere. */
const COUNTING_KEYS = new Set([
  '$schema',
  'model',
  'maxTools',
  'mcpServers',
  'plugins.disabled',
  'permissions.ask',
  'permissions.deny',
]);
const NESTED_KEYS = new Set(['plugins', 'permissions']);

/** The settings of one trusted project, as they were when it was found to be trusted. */
export interface ProjectTexts {
  /** Real path. */
  root: string;
  /** Text of `.toolpost/config.json`. */
  config?: string;
  /** Text of `.mcp.json`. */
  mcpConfig?: string;
}

/**
 * Adds what trusted projects say to the user's settings. Of several projects the first one's `model` and `maxTools`
 * count, and an MCP server of a project takes no id that is in use.
 * @throws HostError CONFIG_INVALID for a project file that cannot be read: a lost deny rule would open a door.
 */
export function addProjectSettings(
  settings: Settings,
  projects: readonly ProjectTexts[],
): { settings: Settings; warnings: string[] } {
  const warnings: string[] = [];
  const own = projects.map((project) => readConfig(project, warnings));
  const model = own.find((file) => file.model !== undefined)?.model ?? settings.model;
  const maxTools = own.find((file) => file.maxTools !== undefined)?.maxTools ?? settings.maxTools;
  const { plugins, permissions } = settings;
  const mcpServers = { ...settings.mcpServers };
  projects.forEach((project, index) => {
    addServers(mcpServers, { ...readMcpConfig(project, warnings), ...own[index]?.mcpServers }, { project, warnings });
  });
  return {
    settings: {
      ...settings,
      ...(model !== undefined && { model }),
      ...(maxTools !== undefined && { maxTools }),
      plugins: {
        ...plugins,
        disabled: [...new Set([...plugins.disabled, ...own.flatMap((file) => file.plugins?.disabled ?? [])])],
      },
      permissions: {
        allow: permissions.allow,
        ask: [...permissions.ask, ...own.flatMap((file) => file.permissions?.ask ?? [])],
        deny: [...permissions.deny, ...own.flatMap((file) => file.permissions?.deny ?? [])],
      },
      mcpServers,
    },
    warnings,
  };
}

function readConfig({ root, config }: ProjectTexts, warnings: string[]): SettingsFile {
  if (config === undefined) return {};
  const file = join(root, '.toolpost', 'config.json');
  const read = readSettingsText(config, file, (value) => {
    if (!isJsonObject(value)) return value;
    const { kept, ignored } = keepCounting(value);
    for (const key of ignored) warnings.push(`${file}: ${key}: ignored, because a project may not set it`);
    return kept;
  });
  warnings.push(...read.warnings);
  return read.settings;
}

/** `.mcp.json` is read by other clients too, so a key of theirs beside `mcpServers` is no mistake. */
function readMcpConfig({ root, mcpConfig }: ProjectTexts, warnings: string[]): Record<string, McpServerSettings> {
  if (mcpConfig === undefined) return {};
  const read = readSettingsText(mcpConfig, join(root, '.mcp.json'), (value) =>
    isJsonObject(value) ? { mcpServers: value.mcpServers } : value,
  );
  warnings.push(...read.warnings);
  return read.settings.mcpServers ?? {};
}

function keepCounting(value: JsonObject, prefix = ''): { kept: JsonObject; ignored: string[] } {
  const kept: [string, unknown][] = [];
  const ignored: string[] = [];
  for (const [key, element] of Object.entries(value)) {
    const path = prefix + key;
    if (NESTED_KEYS.has(path) && isJsonObject(element)) {
      const nested = keepCounting(element, `${path}.`);
      kept.push([key, nested.kept]);
      ignored.push(...nested.ignored);
    } else if (path === 'model' && namesAddress(element)) ignored.push('model with an address');
    else if (COUNTING_KEYS.has(path) || NESTED_KEYS.has(path)) kept.push([key, element]);
    else ignored.push(path);
  }
  return { kept: Object.fromEntries(kept), ignored };
}

/** `openai-compatible:NAME@URL`: a project must not choose where a conversation, and the key, are sent. */
function namesAddress(model: unknown): boolean {
  return typeof model === 'string' && /@|:\/\//.test(model);
}

function addServers(
  known: Record<string, McpServerSettings>,
  servers: Record<string, McpServerSettings>,
  { project, warnings }: { project: ProjectTexts; warnings: string[] },
): void {
  for (const [id, server] of Object.entries(servers)) {
    if (Object.hasOwn(known, id)) {
      const owner = known[id]?.root ?? "the user's configuration";
      warnings.push(`${project.root}: MCP server "${id}" ignored, because ${owner} has one of that name`);
    } else known[id] = { ...server, root: project.root };
  }
}
