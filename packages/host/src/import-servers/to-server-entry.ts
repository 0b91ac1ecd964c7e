import { formatDuration, isJsonObject, type JsonObject, PLUGIN_ID, quoteValue } from '@toolpost/protocol';

/** One server in the shape of our configuration. */
export interface ServerEntry {
  readonly id: string;
  readonly entry: JsonObject;
  /** What of it was not taken, or is another way here, one sentence each. */
  readonly notes: readonly string[];
}

/** Keys that mean the same here, or nothing. */
const SAME = new Set(['command', 'args', 'env', 'cwd', 'type', 'url', 'headers', 'disabled', 'enabled', 'environment']);
const OTHER_NAMES = new Set(['serverUrl', 'httpUrl', 'timeout', 'description', 'name', 'transport']);
const APPROVALS = new Set(['alwaysAllow', 'autoApprove', 'trust', 'autoApproveAll']);
const LONGEST_TIMEOUT_MS = 5 * 60_000;

/** @throws Error that says why a server cannot be taken over. */
export function toServerEntry(name: string, value: unknown): ServerEntry {
  if (!isJsonObject(value)) throw new Error(`it is ${quoteValue(value)}`);
  const id = name.replace(/[^a-zA-Z0-9._-]+/g, '-').replace(/^[^a-zA-Z0-9]+/, '');
  if (!PLUGIN_ID.test(id)) throw new Error('no id can be made of its name');
  const notes = id === name ? [] : [`its id is ${id} here`];
  const program = programOf(value);
  const url = value.url ?? value.serverUrl ?? value.httpUrl;
  if (program.length === 0 && typeof url !== 'string') throw new Error('it has neither a command nor a url');
  const [command, ...args] = program;
  const entry: JsonObject = {
    ...(command === undefined ? { url, ...(typeOf(value) && { type: typeOf(value) }) } : { command, args }),
    ...recordOf('env', value.env ?? value.environment),
    ...recordOf('headers', value.headers),
    ...(typeof value.cwd === 'string' && { cwd: value.cwd }),
    ...((value.disabled === true || value.enabled === false) && { disabled: true }),
    ...timeoutOf(value.timeout, notes),
  };
  notes.push(...leftOut(value));
  return { id, entry: JSON.parse(variablesOf(JSON.stringify(entry), notes)) as JsonObject, notes };
}

/** Most clients have a command and its arguments, one has a list of both. */
function programOf({ command, args = [] }: JsonObject): string[] {
  const parts = Array.isArray(command) ? command : command === undefined ? [] : [command, ...[args].flat()];
  return parts.map(String);
}

function typeOf({ type, transport }: JsonObject): string | undefined {
  const given = type ?? transport;
  return given === 'sse' ? 'sse' : undefined;
}

function recordOf(key: string, value: unknown): JsonObject {
  if (!isJsonObject(value) || Object.keys(value).length === 0) return {};
  const texts = Object.entries(value).filter(([, one]) => one !== null && one !== undefined);
  return { [key]: Object.fromEntries(texts.map(([name, one]) => [name, String(one)])) };
}

/** Other clients count milliseconds. */
function timeoutOf(value: unknown, notes: string[]): JsonObject {
  if (typeof value !== 'number' || !(value > 0)) return {};
  if (value > LONGEST_TIMEOUT_MS)
    notes.push('its timeout is cut to 5m; `maxTimeout` is for calls that report progress');
  return { timeout: formatDuration(Math.min(value, LONGEST_TIMEOUT_MS)) };
}

/** `${env:NAME}`, `{env:NAME}` and `${input:id}` of other clients are variables of the environment here. */
function variablesOf(json: string, notes: string[]): string {
  const renamed = json
    .replace(/\$?\{env:([^}]+)\}/g, (_whole, name: string) => `\${${name}}`)
    .replace(/\$\{input:([^}]+)\}/g, (_whole, input: string) => {
      const name = input.toUpperCase().replace(/\W+/g, '_');
      notes.push(`what it asks for as "${input}" is taken from the variable ${name} here`);
      return `\${${name}}`;
    });
  for (const [, other] of renamed.matchAll(/\$\{([a-z]\w*(?::[^}-][^}]*)?)\}/g)) {
    if (other !== undefined) notes.push(`\${${other}} means nothing here: put a path in its place`);
  }
  return renamed;
}

function leftOut(value: JsonObject): string[] {
  return Object.keys(value).flatMap((key) => {
    if (SAME.has(key) || OTHER_NAMES.has(key)) return [];
    if (APPROVALS.has(key)) return [`"${key}" is not taken: rules in "permissions" say what is allowed here`];
    return [`"${key}" is not taken: there is nothing like it here`];
  });
}
