import { isJsonObject, type JsonObject } from './json.ts';
import type { ContentRequest } from './plugin-content.ts';
import type { UiActionParams } from './ui-action.ts';

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
  /** What a call would do, version 2. */
  previewTool: 'preview_tool',
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
  /** What a tool gave, or an agent's last words. */
  toolOutput?: string;
  toolElapsedMs?: number;
  /** What the user said: `UserPromptSubmit`. */
  prompt?: string;
  /** What brought the event about, in one word. */
  reason?: string;
  extra?: HookExtra;
}

/** The model of a session, what its context takes and what was counted, in tokens. */
export interface HookExtra {
  model?: string;
  maxContext?: number;
  promptTokens?: number;
  compTokens?: number;
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

/** Asks what a call would do, of a tool that says `hasPreview`. `input` is JSON text. */
export interface PreviewToolParams extends Omit<EnrichParams, 'enricherName'> {
  toolName: string;
  input: string;
  roots: readonly string[];
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
  | { id?: string; method: 'preview_tool'; params: PreviewToolParams }
  | { id?: string; method: 'web_ui_action'; params: UiActionParams }
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
