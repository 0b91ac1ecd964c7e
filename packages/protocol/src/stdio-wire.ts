import { readTopicPattern } from './bus-topics.ts';
import { CHANNEL_NAME, CHANNEL_NAME_IN_WORDS, OWN_CHANNELS } from './channel-wire.ts';
import type { OutputStream } from './events.ts';
import { isJsonObject, type JsonObject } from './json.ts';
import type { HookDeclaration } from './manifest.ts';
import { type ContentRequest, NO_CONTENT, type PluginContent, readPluginContent } from './plugin-content.ts';
import { quoteValue } from './quote-value.ts';
import { readToolDeclaration } from './tool-declaration.ts';
import type { ToolDefinition } from './tool-definition.ts';

/**
 * The seeds' words on the wire between the host and a plugin's process: one JSON object a line. Version 1 has no ids
 * and one call in flight; version 2 gives every call an id, streams and cancels. `activate` and `deactivate` never
 * have an id. The words live here and nowhere else.
 */
export const PROTOCOL_VERSIONS = [1, 2] as const;
export type ProtocolVersion = (typeof PROTOCOL_VERSIONS)[number];

/** Methods that the host calls. */
export const HOST_METHODS = {
  activate: 'activate',
  executeTool: 'execute_tool',
  hook: 'hook',
  enrich: 'enrich',
  /** Resources, prompts and completions, version 2. */
  content: 'content',
  /** A message of the bus, version 2. */
  busMessage: 'bus_message',
  webUiAction: 'web_ui_action',
  webPluginRpc: 'web_plugin_rpc',
  cancel: 'cancel',
  deactivate: 'deactivate',
} as const;

/**
 * Methods that a version 2 plugin calls: `settings_get` at any time, `bus_publish` too where its process serves one
 * tenant, the others while a call of its, or a message of the bus, is in flight.
 */
export const PLUGIN_METHODS = {
  storageGet: 'storage_get',
  storageSet: 'storage_set',
  storageDelete: 'storage_delete',
  storageKeys: 'storage_keys',
  settingsGet: 'settings_get',
  ask: 'ask',
  /** Calls a tool in the session of a call in flight. */
  callTool: 'call_tool',
  busPublish: 'bus_publish',
} as const;
export type PluginMethod = (typeof PLUGIN_METHODS)[keyof typeof PLUGIN_METHODS];

export interface ActivateParams {
  pluginId: string;
  protocolVersions?: readonly number[];
}

/** The session of a call, version 2. Unset texts are "". */
export interface CallContextParams {
  sessionId: string;
  channel: string;
  chatId: string;
  tenant: string;
  user: string;
  roots: readonly string[];
  /** Names this call in the plugin's own requests: unique in the life of the process. */
  callId: string;
  /** The id under which clients and the journal know it. Two sessions may have the same. */
  toolCallId: string;
  /** The trace that the call is part of, as W3C Trace Context has it; absent where nothing is traced. */
  traceparent?: string;
}

/** `input` is JSON text. */
export interface ExecuteToolParams {
  toolName: string;
  input: string;
  context?: CallContextParams;
}

export interface HookParams {
  event: string;
  toolName: string;
  /** JSON text of the arguments. */
  toolInput: string;
  sessionId: string;
  channel: string;
  chatId: string;
  tenant?: string;
  user?: string;
  toolOutput?: string;
  toolElapsedMs?: number;
}

/** The session whose system prompt gets the text; version 1 of the seed sends the name alone. */
export interface EnrichParams {
  enricherName: string;
  sessionId: string;
  channel: string;
  chatId: string;
  tenant: string;
  user: string;
}

/** Asks for a part of what the plugin declared as `resources`, `resourceTemplates` and `prompts`. */
export interface ContentParams extends Omit<EnrichParams, 'enricherName'> {
  request: ContentRequest;
}

/** What another plugin of the tenant has published. `callId` names it in requests of whoever gets it. */
export interface BusMessageParams {
  topic: string;
  data: unknown;
  from: string;
  tenant: string;
  callId: string;
}

export type HostMessage =
  | { method: 'activate'; params: ActivateParams }
  | { id?: string; method: 'execute_tool'; params: ExecuteToolParams }
  | { id?: string; method: 'hook'; params: HookParams }
  | { id?: string; method: 'enrich'; params: EnrichParams }
  | { id?: string; method: 'content'; params: ContentParams }
  | { id?: string; method: 'bus_message'; params: BusMessageParams }
  | { method: 'cancel'; params: { id: string } }
  | { method: 'deactivate' }
  | { id: string; result: unknown }
  | { id: string; error: string };

/** What a plugin's line is, by its shape. `push` is unsolicited; `unknown` is noise. */
export type PluginMessageKind = 'answer' | 'output' | 'progress' | 'request' | 'push' | 'unknown';

const ANSWER_KEYS = [
  'result',
  'error',
  'tools',
  'protocolVersion',
  'hook_result',
  'hookResult',
  'hooks',
  'enrichers',
  'subscriptions',
  'channel_provider',
  'channelProvider',
] as const;

/** Parses one line of either side. `undefined` means that it is not a JSON object: noise, never an answer. */
export function parseWireLine(line: string): JsonObject | undefined {
  if (line.charCodeAt(0) !== 0x7b && !line.trimStart().startsWith('{')) return undefined;
  try {
    const message: unknown = JSON.parse(line);
    return isJsonObject(message) ? message : undefined;
  } catch {
    return undefined;
  }
}

/** Says what a plugin's message is. An empty object is the answer of a plugin that has nothing to say. */
export function kindOfPluginMessage(message: JsonObject): PluginMessageKind {
  if ('result' in message || 'error' in message) return 'answer';
  if ('method' in message) return 'id' in message ? 'request' : 'push';
  if ('id' in message) {
    if ('output' in message) return 'output';
    if ('progress' in message) return 'progress';
    return 'answer';
  }
  for (const key of ANSWER_KEYS) if (key in message) return 'answer';
  for (const _ in message) return 'unknown';
  return 'answer';
}

/** The id of a message as text: a plugin that answers `7` to `"7"` is understood. `undefined` when there is none. */
export function messageId(message: JsonObject): string | undefined {
  const id = message.id;
  if (typeof id === 'string') return id;
  return typeof id === 'number' ? String(id) : undefined;
}

/** A text of a plugin in the system prompt. The lowest priority comes first; a plugin's own is 150. */
export interface EnricherDeclaration {
  name: string;
  priority?: number;
}

/**
 * The channel that a plugin is. `acceptsReplies`: it says of each reply that it has it, with `accept_reply`. `answersAsks`:
 * it brings forms of tools to the people behind it, and their answers back.
 */
export interface ChannelProvider {
  name: string;
  configSchema?: unknown;
  acceptsReplies?: boolean;
  answersAsks?: boolean;
}

export interface ActivateAnswer {
  protocolVersion: ProtocolVersion;
  tools: ToolDefinition[];
  /** Why a declared tool is left out, one sentence each: a wrong one does not take the others with it. */
  refusedTools: string[];
  hooks: HookDeclaration[];
  enrichers: EnricherDeclaration[];
  content: PluginContent;
  /** Topics of the bus, as `readTopicPattern` reads them. */
  subscriptions: string[];
  channelProvider?: ChannelProvider;
  /** The plugin refuses to start, for this reason; the lists are empty. */
  error?: string;
}

/**
 * Reads the answer to `activate`, in the seeds' spelling or in ours.
 * @throws TypeError that names the field when something other than a single tool is wrong.
 */
export function readActivateAnswer(message: JsonObject): ActivateAnswer {
  const protocolVersion = readVersion(message);
  const answer: ActivateAnswer = {
    protocolVersion,
    tools: [],
    refusedTools: [],
    hooks: [],
    enrichers: [],
    content: NO_CONTENT,
    subscriptions: [],
  };
  if (message.error !== undefined && message.error !== null) {
    answer.error = errorText(message.error);
    return answer;
  }
  for (const declared of readList(message.tools, 'tools')) takeTool(declared, answer);
  answer.hooks = readList(message.hooks, 'hooks').map(readHookDeclaration);
  answer.enrichers = readList(message.enrichers, 'enrichers').map(readEnricherDeclaration);
  answer.content = readPluginContent(message);
  answer.subscriptions = readList(message.subscriptions, 'subscriptions').map((topic, index) =>
    readTopicPattern(topic, `subscriptions[${index}]`),
  );
  const provider = message.channelProvider ?? message.channel_provider;
  if (provider !== undefined && provider !== null) answer.channelProvider = readChannelProvider(provider);
  return answer;
}

function takeTool(declared: unknown, answer: ActivateAnswer): void {
  try {
    answer.tools.push(readToolDeclaration(declared));
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof RangeError)) throw error;
    answer.refusedTools.push(error.message);
  }
}

function readVersion(message: JsonObject): ProtocolVersion {
  const version = message.protocolVersion ?? 1;
  if (version === 1 || version === 2) return version;
  throw new TypeError(`protocolVersion must be 1 or 2, got ${quoteValue(version)}`);
}

function readHookDeclaration(value: unknown, index: number): HookDeclaration {
  const place = `hooks[${index}]`;
  const hook: HookDeclaration = { event: textField(value, 'event', place) };
  if (!isJsonObject(value)) return hook;
  const { matcher, failClosed = value.fail_closed } = value;
  if (typeof matcher === 'string') hook.matcher = matcher;
  else if (matcher !== undefined && matcher !== null) {
    throw new TypeError(`${place}.matcher must be text, got ${quoteValue(matcher)}`);
  }
  if (typeof failClosed === 'boolean') hook.failClosed = failClosed;
  else if (failClosed !== undefined && failClosed !== null) {
    throw new TypeError(`${place}.failClosed must be true or false, got ${quoteValue(failClosed)}`);
  }
  return hook;
}

function readEnricherDeclaration(value: unknown, index: number): EnricherDeclaration {
  const place = `enrichers[${index}]`;
  const name = textField(value, 'name', place);
  const priority = isJsonObject(value) ? value.priority : undefined;
  if (priority === undefined || priority === null) return { name };
  if (typeof priority === 'number') return { name, priority };
  throw new TypeError(`${place}.priority must be a number, got ${quoteValue(priority)}`);
}

function readChannelProvider(value: unknown): NonNullable<ActivateAnswer['channelProvider']> {
  const name = textField(value, 'name', 'channelProvider');
  if (!CHANNEL_NAME.test(name))
    throw new TypeError(`channelProvider.name must be ${CHANNEL_NAME_IN_WORDS}, got ${quoteValue(name)}`);
  if (OWN_CHANNELS.includes(name.toLowerCase()))
    throw new TypeError(`channelProvider.name: "${name}" is a channel of Toolpost itself`);
  const given = isJsonObject(value) ? value : {};
  const configSchema = given.configSchema ?? given.config_schema ?? undefined;
  const acceptsReplies = (given.acceptsReplies ?? given.accepts_replies) === true;
  const answersAsks = (given.answersAsks ?? given.answers_asks) === true;
  return {
    name,
    ...(configSchema !== undefined && { configSchema }),
    ...(acceptsReplies && { acceptsReplies }),
    ...(answersAsks && { answersAsks }),
  };
}

/** How a tool call was answered: whatever `result` is, or the text of `error`. */
export type CallAnswer = { ok: true; result: unknown } | { ok: false; error: string };

/**
 * Reads the answer to `execute_tool` and `enrich`.
 * @throws TypeError when it holds neither `result` nor `error`.
 */
export function readCallAnswer(message: JsonObject): CallAnswer {
  const { error } = message;
  if (error !== undefined && error !== null) return { ok: false, error: errorText(error) };
  if ('result' in message) return { ok: true, result: message.result };
  throw new TypeError(`an answer must hold "result" or "error", got ${quoteValue(message)}`);
}

export const HOOK_DECISIONS = ['allow', 'defer', 'ask', 'deny'] as const;

/** A hook's answer, by section 10 of the reference. `updatedInput` replaces the arguments before they are decided on. */
export interface HookAnswer {
  decision: (typeof HOOK_DECISIONS)[number];
  message?: string;
  updatedInput?: JsonObject;
}

/**
 * Reads the answer to `hook`; one without a hook result allows, as in the seed.
 * @throws TypeError when its decision is unknown, Error with the plugin's text when the hook failed.
 */
export function readHookAnswer(message: JsonObject): HookAnswer {
  if (message.error !== undefined && message.error !== null) throw new Error(errorText(message.error));
  const result = message.hook_result ?? message.hookResult;
  if (result === undefined || result === null) return { decision: 'allow' };
  if (!isJsonObject(result)) throw new TypeError(`hook_result must be an object, got ${quoteValue(result)}`);
  const decision = HOOK_DECISIONS.find((known) => known === result.decision);
  if (!decision) {
    const expected = HOOK_DECISIONS.join(', ');
    throw new TypeError(`hook_result.decision must be one of ${expected}, got ${quoteValue(result.decision)}`);
  }
  const answer: HookAnswer = { decision };
  if (typeof result.message === 'string') answer.message = result.message;
  const data = isJsonObject(result.data) ? result.data : {};
  const updated = result.updatedInput ?? result.updated_input ?? data.updatedInput ?? data.updated_input;
  if (isJsonObject(updated)) answer.updatedInput = updated;
  else if (updated !== undefined && updated !== null) {
    throw new TypeError(`hook_result.updatedInput must be an object, got ${quoteValue(updated)}`);
  }
  return answer;
}

/** Writes a hook's answer as version 1 and 2 carry it. */
export function writeHookAnswer({ decision, message, updatedInput }: HookAnswer): JsonObject {
  const result: JsonObject = { decision };
  if (message !== undefined) result.message = message;
  if (updatedInput) result.data = { updatedInput };
  return { hook_result: result };
}

export interface OutputMessage {
  text: string;
  stream: OutputStream;
}

/**
 * Reads the `output` of a running call; text alone is stdout.
 * @throws TypeError when there is no text in it.
 */
export function readOutput(message: JsonObject): OutputMessage {
  const { output } = message;
  if (typeof output === 'string') return { text: output, stream: 'stdout' };
  if (isJsonObject(output) && typeof output.text === 'string') {
    return { text: output.text, stream: output.stream === 'stderr' ? 'stderr' : 'stdout' };
  }
  throw new TypeError(`output must be {stream, text}, got ${quoteValue(output)}`);
}

export interface ProgressMessage {
  progress: number;
  total?: number;
  message?: string;
}

/**
 * Reads the `progress` of a running call; a number alone is enough.
 * @throws TypeError when there is no number in it.
 */
export function readProgress(message: JsonObject): ProgressMessage {
  const { progress } = message;
  if (typeof progress === 'number') return { progress };
  if (!isJsonObject(progress) || typeof progress.progress !== 'number') {
    throw new TypeError(`progress must be {progress, total?, message?}, got ${quoteValue(progress)}`);
  }
  const update: ProgressMessage = { progress: progress.progress };
  if (typeof progress.total === 'number') update.total = progress.total;
  if (typeof progress.message === 'string') update.message = progress.message;
  return update;
}

/** A request of a plugin to the host. */
export interface PluginRequest {
  id: string;
  method: string;
  params: JsonObject;
  /** The call for which it asks; the host finds session and permissions by it. */
  callId?: string;
}

/**
 * Reads a plugin's request.
 * @throws TypeError when its id, method or params are of the wrong type.
 */
export function readPluginRequest(message: JsonObject): PluginRequest {
  const { method, params = {} } = message;
  const id = messageId(message);
  if (id === undefined) throw new TypeError(`a request's id must be text, got ${quoteValue(message.id)}`);
  if (typeof method !== 'string') throw new TypeError(`a request's method must be text, got ${quoteValue(method)}`);
  if (!isJsonObject(params)) throw new TypeError(`${method}: params must be an object, got ${quoteValue(params)}`);
  const callId = params.callId;
  return typeof callId === 'string' ? { id, method, params, callId } : { id, method, params };
}

function readList(value: unknown, place: string): unknown[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value;
  throw new TypeError(`${place} must be a list, got ${quoteValue(value)}`);
}

function textField(value: unknown, field: string, place: string): string {
  if (!isJsonObject(value)) throw new TypeError(`${place} must be an object, got ${quoteValue(value)}`);
  const text = value[field];
  if (typeof text === 'string' && text.trim() !== '') return text;
  throw new TypeError(`${place}.${field} must be non-empty text, got ${quoteValue(text)}`);
}

function errorText(error: unknown): string {
  if (typeof error === 'string') return error === '' ? 'the plugin gave no reason' : error;
  if (isJsonObject(error) && typeof error.message === 'string') return error.message;
  return quoteValue(error);
}
