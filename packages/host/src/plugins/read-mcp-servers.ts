import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { HostError, type Manifest, messageOf, parseManifest } from '@toolpost/protocol';
import type { DiscoveredPlugin, McpServer, OAuthSettings, PluginOrigin } from '../runtimes/runtime.ts';
import { expandVariables } from '../settings/expand-variables.ts';
import type { McpServerSettings } from '../settings/settings-schema.ts';
import type { PluginReading } from './plugin-reading.ts';

/** Progress renews a call's time so far, where the configuration does not say. */
const DEFAULT_MAX_TIMEOUT_MS = 5 * 60_000;

export interface ReadMcpServersOptions {
  readonly servers: Readonly<Record<string, McpServerSettings>>;
  /** What `${NAME}` stands for. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** The servers of `mcpServers` as plugins: of the user, or of one project's root. */
export function readMcpServers(
  { servers, environment }: ReadMcpServersOptions,
  root: string | undefined,
): PluginReading[] {
  return Object.entries(servers)
    .filter(([, server]) => server.root === root)
    .map(([id, server]) => readServer(id, server, environment));
}

function readServer(
  id: string,
  server: McpServerSettings,
  environment: ReadMcpServersOptions['environment'],
): PluginReading {
  const { root } = server;
  const origin: PluginOrigin = root === undefined ? 'config' : 'project';
  // Never a root that nobody has trusted: what lies there could be loaded by the program that is started.
  const start = root ?? homedir();
  try {
    const plugin = toPlugin(id, server, (text) => expandVariables(text, environment));
    return { plugin: { id, dir: resolve(start, plugin.cwd ?? '.'), origin, ...plugin.parts }, warnings: [] };
  } catch (cause) {
    const why = messageOf(cause);
    const error = new HostError('CONFIG_INVALID', `mcpServers.${id}: ${why}`, { cause, pluginId: id });
    return { problem: { dir: start, server: id, id, origin, error, toolNames: [] } };
  }
}

interface ReadServer {
  readonly cwd: string | undefined;
  readonly parts: Required<Pick<DiscoveredPlugin, 'manifest' | 'server'>>;
}

function toPlugin(id: string, settings: McpServerSettings, expand: (text: string) => string): ReadServer {
  const expandAll = (record: Readonly<Record<string, string>> = {}) =>
    Object.fromEntries(Object.entries(record).map(([name, value]) => [name, expand(value)]));
  const url = settings.url === undefined ? undefined : readUrl(settings.url, expand);
  const program = {
    ...(settings.command !== undefined && { executable: expand(settings.command) }),
    args: (settings.args ?? []).map(expand),
  };
  const { manifest } = parseManifest({
    id,
    version: '0.0.0',
    runtime: 'mcp',
    permissions: ['tools.register'],
    ...(url === undefined ? program : { url }),
  });
  const server: McpServer = {
    env: expandAll(settings.env),
    headers: expandAll(settings.headers),
    ...(url !== undefined && { url }),
    ...(settings.oauth && { oauth: readOAuth(settings.oauth, expand) }),
    ...(settings.type === 'sse' && { type: 'sse' as const }),
  };
  const cwd = settings.cwd === undefined ? undefined : expand(settings.cwd);
  return { cwd, parts: { manifest: withLimits(manifest, settings), server } };
}

/** An error quotes the text as it was written: what the variables hold may be secret. */
function readUrl(written: string, expand: (text: string) => string): string {
  const text = expand(written);
  const url = URL.parse(text);
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    throw new Error(`url: ${JSON.stringify(written)} is no http or https address`);
  if (url.username !== '' || url.password !== '')
    throw new Error(
      `url: it holds a user's name or password, which fetch refuses: send a header "Authorization" instead`,
    );
  return text;
}

/** @throws Error for what no authorization server would take, quoted as it was written. */
function readOAuth(written: OAuthSettings, expand: (text: string) => string): OAuthSettings {
  const settings: OAuthSettings = Object.fromEntries(
    Object.entries(written).map(([key, text]) => [key, expandGiven(key, text, expand)]),
  );
  if (settings.clientMetadataUrl !== undefined && !isClientId(settings.clientMetadataUrl))
    throw new Error(
      `oauth.clientMetadataUrl: ${JSON.stringify(written.clientMetadataUrl)} is no https address with a path, and without a user or a fragment`,
    );
  return settings;
}

/** An empty secret would be sent as none, and an empty id as nobody's. */
function expandGiven(key: string, text: string, expand: (text: string) => string): string {
  const value = expand(text);
  if (value === '') throw new Error(`oauth.${key}: ${JSON.stringify(text)} is empty`);
  return value;
}

/** OAuth Client ID Metadata Document, section 3. */
function isClientId(text: string): boolean {
  const url = URL.parse(text);
  if (url?.protocol !== 'https:' || url.pathname === '/') return false;
  return url.username === '' && url.password === '' && !text.includes('#');
}

function withLimits(manifest: Manifest, settings: McpServerSettings): Manifest {
  const { timeout, maxTimeout, startTimeout, pin, sharedAcrossTenants } = settings;
  const timeoutMs = timeout ?? manifest.timeoutMs;
  return {
    ...manifest,
    timeoutMs,
    maxTimeoutMs: Math.max(maxTimeout ?? DEFAULT_MAX_TIMEOUT_MS, timeoutMs),
    startTimeoutMs: startTimeout ?? manifest.startTimeoutMs,
    ...(pin !== undefined && { pin }),
    ...(sharedAcrossTenants !== undefined && { sharedAcrossTenants }),
  };
}
