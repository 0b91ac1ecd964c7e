import { checkPermissions } from './check-permissions.ts';
import { contributionsShape } from './contributions-shape.ts';
import { formatDuration } from './duration.ts';
import { HostError } from './error-codes.ts';
import { inertParts } from './inert-parts.ts';
import { isJsonObject, type JsonSchema } from './json.ts';
import { type Manifest, PERMISSIONS, RUNTIME_NAMES } from './manifest.ts';
import { nearNames } from './near-names.ts';
import { quoteValue } from './quote-value.ts';
import * as shape from './shape/index.ts';

export const PLUGIN_ID = /^[a-zA-Z0-9][a-zA-Z0-9._-]{0,127}$/;
export const PLUGIN_ID_IN_WORDS = 'a letter or digit, then only letters, digits, dots, - and _, at most 128 in all';
/** Permission rules name the host's own tools by these ids, so no other plugin may have one. */
const RESERVED_IDS = new Map([
  ['builtin', "Toolpost's own tools"],
  ['app', 'the tools of the program that embeds the host'],
]);

const DEFAULT_TIMEOUT_MS = 30_000;
const MAX_TIMEOUT_MS = 5 * 60_000;
const MAX_START_TIMEOUT_MS = 10 * 60_000;
const MAX_RENEWED_TIMEOUT_MS = 60 * 60_000;
const SMALLEST_MAX_LINE_BYTES = 1024;
const LARGEST_MAX_LINE_BYTES = 256 * 1024 * 1024;

/** Semantic Versioning 2.0.0, points 2, 9 and 10: no leading zeros in numbers, no empty suffix parts. */
const SEMVER =
  /^(?:0|[1-9]\d*)(?:\.(?:0|[1-9]\d*)){2}(?:-(?:0|[1-9]\d*|\d*[a-zA-Z-][\da-zA-Z-]*)(?:\.(?:0|[1-9]\d*|\d*[a-zA-Z-][\da-zA-Z-]*))*)?(?:\+[\da-zA-Z-]+(?:\.[\da-zA-Z-]+)*)?$/;
const ACTIVATION_EVENT = /^(?:onStart|onTool:.+|onHook:.+|onCommand:.+)$/s;

const { about, anyObject, boolean, checked, duration, integer, list, object, oneOf, record, required, text } = shape;

const id = checked(text({ pattern: PLUGIN_ID, right: PLUGIN_ID_IN_WORDS }), (value, path, { problems }) => {
  const owner = RESERVED_IDS.get(value.toLowerCase());
  if (owner !== undefined) problems.push(`${path}: "${value}" names ${owner}, choose another`);
});

const version = checked(
  text({ pattern: SEMVER, right: 'three numbers, like "1.0.0" or "1.2.0-beta.1"' }),
  (value, path, { problems }) => {
    if (value.length > 256) problems.push(`${path}: is ${value.length} characters long, at most 256 are allowed`);
  },
);

const permission: shape.Shape<Manifest['permissions'][number]> = {
  read(value, path, { problems }) {
    const known = value === '*' ? value : PERMISSIONS.find((name) => name === value);
    if (known !== undefined) return known;
    const [meant] = typeof value === 'string' ? nearNames(value, PERMISSIONS) : [];
    const hint = meant === undefined ? `known are *, ${PERMISSIONS.join(', ')}` : `did you mean "${meant}"?`;
    problems.push(`${path}: unknown permission ${quoteValue(value)}; ${hint}`);
    return undefined;
  },
  schema: { enum: ['*', ...PERMISSIONS] },
};

const activationEvent = checked(text(), (value, path, { warnings }) => {
  if (ACTIVATION_EVENT.test(value)) return;
  warnings.push(
    `${path}: unknown event ${quoteValue(value)}; known are onStart, onTool:NAME, onHook:EVENT, onCommand:NAME`,
  );
});

const environmentName = text({
  pattern: /^[^=\s]+$/,
  right: 'the name of a variable of the host\'s environment, like "API_KEY"',
});

const dependency = object({
  id: required(text({ pattern: PLUGIN_ID, right: PLUGIN_ID_IN_WORDS })),
  version: text({ pattern: /^(?:\*|[\^~>=<\s]*\D{0,8}\d.*)$/s, right: '"*" or a range like "^1.2.0"' }),
});

const manifestShape = object(
  {
    id: required(about('letters, digits, dots, - and _; the same as the folder name', id)),
    name: about('for people; default: the id', text({ allowEmpty: true })),
    version: required(about('the version of the plugin, like "1.0.0"', version)),
    description: text({ allowEmpty: true }),
    author: text({ allowEmpty: true }),
    homepage: text({ allowEmpty: true }),
    runtime: about('how the plugin runs; default: native', oneOf(RUNTIME_NAMES, { grpc: 'stdio' })),
    entry: about('program line (stdio), module (native) or component (wasm)', text()),
    entryWindows: text(),
    entryDarwin: text(),
    entryLinux: text(),
    executable: about('a program, run as it is with args; beats entry', text()),
    args: list(text({ allowEmpty: true })),
    url: about('address of an MCP server', text({ pattern: /^https?:\/\/\S+$/i, right: 'an http or https address' })),
    headers: record(text({ allowEmpty: true })),
    pin: about('whether a changed tool of an MCP server waits to be accepted; default: true', boolean()),
    activationEvents: list(activationEvent),
    permissions: about('what the plugin may do; default: nothing', list(permission)),
    dependencies: list(dependency),
    timeout: about(
      'bounds one call; default: 30s',
      duration({ maxMs: MAX_TIMEOUT_MS, whenZeroMs: DEFAULT_TIMEOUT_MS }),
    ),
    maxTimeout: about(
      'output and progress renew timeout up to this',
      duration({ maxMs: MAX_RENEWED_TIMEOUT_MS, whenZeroMs: 0 }),
    ),
    startTimeout: about(
      'bounds the start; default: 30s',
      duration({ maxMs: MAX_START_TIMEOUT_MS, whenZeroMs: DEFAULT_TIMEOUT_MS }),
    ),
    env: about(
      'variables of the host that the plugin may see',
      list(environmentName, {
        right: 'a list of variable names, like ["API_KEY"]; values stay in the host\'s environment',
      }),
    ),
    failClosed: about('a hook that fails denies the call', boolean()),
    instances: oneOf(['session', 'shared', 'call']),
    sharedAcrossTenants: about(
      'one process may serve all tenants; default: each tenant gets a process of its own',
      boolean(),
    ),
    maxLineBytes: integer({ min: SMALLEST_MAX_LINE_BYTES, max: LARGEST_MAX_LINE_BYTES }),
    web: anyObject(),
    contributes: contributionsShape,
  },
  { snakeCase: true },
);
type ManifestFile = shape.ReadBy<typeof manifestShape>;

/** JSON Schema of `plugin.json`, for editors. The host itself also takes snake_case keys and null for "not set". */
export const MANIFEST_JSON_SCHEMA: JsonSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Toolpost plugin manifest (plugin.json)',
  ...manifestShape.schema,
};

/** MANIFEST_INVALID: `message` has everything that was found in one line, `problems` has it one by one, bounded. */
export class ManifestError extends HostError {
  readonly problems: readonly string[];

  constructor(problems: readonly string[], pluginId: string | undefined) {
    super('MANIFEST_INVALID', `invalid manifest: ${shape.joinFindings(problems)}`, {
      ...(pluginId !== undefined && { pluginId }),
    });
    this.problems = shape.boundFindings(problems);
  }
}

/**
 * Reads the parsed JSON of a `plugin.json` of any runtime: aliases resolved, defaults filled in.
 * @throws ManifestError that lists every wrong field with what was found and what is right, then every unknown key.
 */
export function parseManifest(value: unknown): { manifest: Manifest; warnings: string[] } {
  const findings: shape.Findings = { problems: [], warnings: [] };
  const file = manifestShape.read(value, '', findings);
  // A field that is missing may be there under a wrong name, so a refusal tells of unknown keys too.
  const unknownKeys = [...findings.warnings];
  if (file) checkTogether(file, findings);
  if (!file || findings.problems.length > 0) {
    const pluginId =
      isJsonObject(value) && typeof value.id === 'string' && PLUGIN_ID.test(value.id) ? value.id : undefined;
    throw new ManifestError([...findings.problems, ...unknownKeys], pluginId);
  }
  return { manifest: toManifest(file), warnings: findings.warnings };
}

function checkTogether(file: ManifestFile, findings: shape.Findings): void {
  checkProgram(file, findings.problems);
  checkDeadlines(file, findings.problems);
  checkPermissions(file, findings);
  const inert = inertParts(file);
  if (inert.length > 0) findings.warnings.push(`accepted, and without effect here: ${inert.join(', ')}`);
}

/** Each runtime needs something to run, and what lies in the plugin's folder must not be looked for outside. */
function checkProgram(file: ManifestFile, problems: string[]): void {
  const { runtime: given, entry, executable, url } = file;
  const runtime = given ?? 'native';
  const entries = [entry, file.entryWindows, file.entryDarwin, file.entryLinux].filter((path) => path !== undefined);
  const hasProgram = entry !== undefined || executable !== undefined;
  if ((runtime === 'stdio' || runtime === 'channel') && !hasProgram) {
    problems.push(`a ${runtime} plugin needs entry (a program line) or executable (with args)`);
  }
  if (runtime === 'mcp' && hasProgram === (url !== undefined)) {
    problems.push('an mcp plugin needs either executable (or entry) or url');
  }
  if (runtime === 'native' && executable !== undefined) {
    const found = given === undefined ? 'runtime: missing' : 'executable: a native plugin is loaded, not started';
    problems.push(`${found}; a plugin with executable is a program: did you mean "runtime": "stdio"?`);
  }
  if (runtime === 'wasm' && entry === undefined) problems.push('a wasm plugin needs entry, the name of its .wasm file');
  if (runtime === 'script' && entries.length === 0 && executable === undefined) {
    problems.push('a script plugin needs entry, or entryWindows, entryDarwin and entryLinux');
  }
  if ((runtime === 'wasm' || runtime === 'native') && entry !== undefined && leavesFolder(entry)) {
    problems.push(`entry: found ${quoteValue(entry)}, expected a file inside the plugin's folder`);
  }
}

function leavesFolder(path: string): boolean {
  return /^(?:[\\/]|[a-zA-Z]:)/.test(path) || path.split(/[\\/]/).includes('..');
}

function checkDeadlines(file: ManifestFile, problems: string[]): void {
  const { timeout = DEFAULT_TIMEOUT_MS, maxTimeout } = file;
  if (!maxTimeout || maxTimeout >= timeout) return;
  problems.push(`maxTimeout: ${formatDuration(maxTimeout)} is shorter than timeout, ${formatDuration(timeout)}`);
}

function toManifest(file: ManifestFile): Manifest {
  const { entryWindows, entryDarwin, entryLinux, timeout, maxTimeout, startTimeout, contributes, ...rest } = file;
  const entryByPlatform = {
    ...(entryWindows !== undefined && { windows: entryWindows }),
    ...(entryDarwin !== undefined && { darwin: entryDarwin }),
    ...(entryLinux !== undefined && { linux: entryLinux }),
  };
  return {
    ...rest,
    name: file.name || file.id,
    description: file.description ?? '',
    runtime: file.runtime ?? 'native',
    args: file.args ?? [],
    activationEvents: file.activationEvents?.length ? file.activationEvents : ['onStart'],
    permissions: file.permissions ?? [],
    dependencies: file.dependencies ?? [],
    env: file.env ?? [],
    failClosed: file.failClosed ?? false,
    timeoutMs: timeout ?? DEFAULT_TIMEOUT_MS,
    startTimeoutMs: startTimeout ?? DEFAULT_TIMEOUT_MS,
    ...(maxTimeout && { maxTimeoutMs: maxTimeout }),
    ...(Object.keys(entryByPlatform).length > 0 && { entryByPlatform }),
    contributes: { ...contributes, tools: contributes?.tools ?? [], hooks: contributes?.hooks ?? [] },
  };
}
