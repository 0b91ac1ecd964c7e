import {
  isJsonObject,
  type JsonSchema,
  messageOf,
  PLUGIN_ID,
  PLUGIN_ID_IN_WORDS,
  quoteValue,
  shape,
} from '@toolpost/protocol';
import { parseHostEntry } from '../permissions/host-policy.ts';
import { parseRule } from '../permissions/parse-rule.ts';

const { about, anyObject, boolean, checked, duration, integer, list, object, oneOf, record, required, text } = shape;

const COUNT = { min: 1, max: 1_000_000_000 };

/** As in a plugin's manifest. */
const LIMITS = {
  timeout: { maxMs: 5 * 60_000, whenZeroMs: 30_000 },
  maxTimeout: { maxMs: 60 * 60_000, whenZeroMs: 5 * 60_000 },
  startTimeout: { maxMs: 10 * 60_000, whenZeroMs: 30_000 },
};

const rule = checked(text(), (value, path, { problems }) => {
  try {
    parseRule(value, path);
  } catch (error) {
    problems.push(messageOf(error));
  }
});

const rules = (effect: string) =>
  about(
    `rules that ${effect}: tool-glob or tool-glob(pattern), with "plugin:" before it for one plugin's tool`,
    list(rule),
  );

const permissions = object({
  allow: rules('let a call pass'),
  ask: rules('ask the user'),
  deny: rules('refuse a call'),
});

const oauth = checked(
  object({
    clientId: about('the id of a client that was registered by hand, in place of registering one', text()),
    clientSecret: about('the secret of that client; best a variable, so that it is not written here', text()),
    issuer: about('the authorization server that knows this client: no other one is given its secret', text()),
    clientMetadataUrl: about(
      'the https address of a page about the client, which is its id where the authorization server takes that',
      text(),
    ),
    scope: about('what a sign-in asks for, parted by spaces; default: what the server names', text()),
  }),
  ({ clientId, clientSecret, issuer }, path, { problems }) => {
    if (clientId !== undefined) return;
    if (clientSecret !== undefined) problems.push(`${path}.clientSecret: needs a clientId that it belongs to`);
    if (issuer !== undefined) problems.push(`${path}.issuer: needs a clientId that it knows`);
  },
);

const mcpServer = checked(
  object({
    command: text(),
    args: list(text({ allowEmpty: true })),
    env: record(text({ allowEmpty: true })),
    cwd: text(),
    type: oneOf(['stdio', 'http', 'sse'], { 'streamable-http': 'http', streamableHttp: 'http' }),
    url: text({ right: 'the address of the server, like "https://example.com/mcp"' }),
    headers: record(text({ allowEmpty: true })),
    oauth: about('the client as which a person signs in; default: one that registers itself', oauth),
    disabled: boolean(),
    timeout: about('bounds one call; progress renews it up to maxTimeout; default: 30s', duration(LIMITS.timeout)),
    maxTimeout: about('bounds one call that reports progress; default: 5m', duration(LIMITS.maxTimeout)),
    startTimeout: about('bounds the start until its tools are listed; default: 30s', duration(LIMITS.startTimeout)),
    pin: about('whether a changed tool waits to be accepted; default: true', boolean()),
    sharedAcrossTenants: about('one process may serve all tenants; default: each gets its own', boolean()),
  }),
  ({ command, url }, path, { problems }) => {
    if ((command === undefined) === (url === undefined)) problems.push(`${path}: needs either command or url`);
  },
);

const host = checked(text(), (value, path, { problems }) => {
  try {
    parseHostEntry(value);
  } catch (error) {
    problems.push(`${path}: ${messageOf(error)}`);
  }
});

const toolPolicy = object({
  hosts: about(
    'hosts that the plugin may connect to, like "api.example.com:443", "*.example.org" or "*"; without a port: 80 and 443; default: none',
    list(host),
  ),
  spawn: about('whether the plugin may start programs; default: false', boolean()),
  memoryMb: integer({ min: 1, max: 65_536 }),
  interfaceNotes: about(
    'whether what is done in its interfaces, and it does not handle itself, goes into the turn that runs as a note; default: false',
    boolean(),
  ),
  env: about(
    'variables of the host that the plugin may see',
    list(text({ pattern: /^[^=\s]+$/, right: 'a variable name' })),
  ),
});

const channel: shape.Shape<Record<string, unknown>> = checked(anyObject(), ({ enabled }, path, { problems }) => {
  if (enabled === undefined || enabled === true || enabled === false || enabled === 'true' || enabled === 'false')
    return;
  problems.push(`${path}.enabled: found ${JSON.stringify(enabled)}, expected true or false`);
});

const limits = object({
  callsPerMinute: integer(COUNT),
  callsPerDay: integer(COUNT),
  concurrency: integer({ min: 1, max: 10_000 }),
  outputBytes: integer({ min: 1000, max: COUNT.max }),
  storageBytes: about('what the plugin may keep for one tenant; default: 10 MiB', integer({ min: 1, max: 1024 ** 4 })),
  storageKeys: about('how many keys it may keep for one tenant; default: 10000', integer(COUNT)),
});

const tokens = about('bearer tokens; "env:NAME" takes one from the environment', list(text()));

const ROOT_IN_WORDS = 'a directory in quotes, or an object like { "path": "/srv", "readOnly": true }';
const rootObject = object({ path: required(text()), readOnly: boolean() });

/** A directory, or one with what may be done in it. */
const root: shape.Shape<{ path: string; readOnly?: boolean }> = {
  read(value, path, findings) {
    if (typeof value === 'string' && value !== '') return { path: value };
    if (isJsonObject(value)) return rootObject.read(value, path, findings);
    findings.problems.push(`${path}: found ${quoteValue(value)}, expected ${ROOT_IN_WORDS}`);
    return undefined;
  },
  schema: { anyOf: [text().schema, rootObject.schema] },
};

const tenant = object({
  tokens,
  users: record(object({ tokens, plugins: about('ids of plugins that are theirs alone', list(text())) })),
  roots: about("the tenant's workspace directories; relative to this file", list(root)),
  plugins: list(text()),
  permissions,
});

/** `config.json`: design section 5. Every key is optional; `loadSettings` fills in what is absent. */
export const settingsShape = object({
  model: about('like "openai:gpt-5"', text()),
  maxTools: about('how many tools a model is offered at once', integer({ min: 1, max: 100_000 })),
  contextTokens: about("what the model's context takes", integer({ min: 1000, max: 100_000_000 })),
  maxSteps: about('after how many answers of the model a turn ends', integer({ min: 1, max: 10_000 })),
  plugins: object({
    dirs: about('more folders of plugins; relative to this file', list(text())),
    disabled: about('ids of plugins that are found but not run', list(text())),
    settings: about('settings by plugin id', record(anyObject())),
  }),
  mcpServers: record(mcpServer, { pattern: PLUGIN_ID, right: PLUGIN_ID_IN_WORDS }),
  permissions,
  toolPolicy: about('grants by plugin id, "*" for all', record(toolPolicy)),
  channels: record(channel),
  limits: about('limits by plugin id', record(limits)),
  tenants: record(tenant),
});

export type SettingsFile = shape.ReadBy<typeof settingsShape>;
type PermissionRules = Required<NonNullable<SettingsFile['permissions']>>;
type ToolPolicy = NonNullable<SettingsFile['toolPolicy']>[string];
export type PluginLimits = NonNullable<SettingsFile['limits']>[string];
export type TenantSettings = NonNullable<SettingsFile['tenants']>[string];

/** `root` is set when a trusted project declared the server. */
export type McpServerSettings = NonNullable<SettingsFile['mcpServers']>[string] & { root?: string };

/** The settings of a host: every section is there, every path in it is absolute. */
export interface Settings {
  model?: string;
  maxTools?: number;
  contextTokens?: number;
  maxSteps?: number;
  plugins: { dirs: string[]; disabled: string[]; settings: Record<string, Record<string, unknown>> };
  mcpServers: Record<string, McpServerSettings>;
  permissions: PermissionRules;
  toolPolicy: Record<string, ToolPolicy>;
  channels: Record<string, Record<string, unknown>>;
  limits: Record<string, PluginLimits>;
  tenants: Record<string, TenantSettings>;
}

/** JSON Schema of `config.json`, for editors. The host itself also takes null for "not set". */
export const SETTINGS_JSON_SCHEMA: JsonSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Toolpost configuration (config.json)',
  ...settingsShape.schema,
};
