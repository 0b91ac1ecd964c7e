import {
  type EnricherDeclaration,
  type EnrichParams,
  HOST_METHODS,
  type HookAnswer,
  type HookDeclaration,
  type HookParams,
  type JsonObject,
  kindOfPluginMessage,
  messageId,
  type OutputMessage,
  PROTOCOL_VERSIONS,
  type ProgressMessage,
  parseWireLine,
  readActivateAnswer,
  readCallAnswer,
  readHookAnswer,
  readOutput,
  readProgress,
  type ToolDefinition,
  type ToolResult,
} from '@toolpost/protocol';
import type { Plugin } from '../plugin/define-plugin.ts';
import type { EnricherSession } from '../plugin/enrichers.ts';
import type { BusMessage } from '../plugin/subscriptions.ts';
import { toToolResult } from '../results/to-tool-result.ts';
import { newToolError } from '../results/tool-results.ts';
import { serveConnection } from '../serve/serve-connection.ts';
import type { AskAnswer, AskForm, CalledTool, LogLevel, Storage, ToolCallContext } from '../tool-call-context.ts';
import { answerPluginRequest } from './answer-plugin-request.ts';
import { createLinkedConnection, type HostEnd } from './linked-connection.ts';
import { createMemoryStorage, noSuchTool } from './test-context.ts';

export interface DriveOptions {
  pluginId?: string;
  settings?: JsonObject;
  storage?: Storage;
  /** Answers for the user; without it every question is cancelled. */
  answer?: (form: AskForm) => AskAnswer | Promise<AskAnswer>;
  /** Ends the calls of other tools; without it each is `not-found`. */
  callTool?: (name: string, input: JsonObject) => CalledTool | Promise<CalledTool>;
  /** Hears what the plugin publishes. */
  onPublish?: (topic: string, data: unknown) => void;
  log?: (message: string, level?: LogLevel) => void;
}

export interface DrivenCallOptions {
  session?: Partial<ToolCallContext['session']>;
  roots?: readonly string[];
  abortSignal?: AbortSignal;
  onOutput?(output: OutputMessage): void;
  onProgress?(progress: ProgressMessage): void;
}

/** A plugin that runs, as a host has it. */
export interface DrivenPlugin {
  readonly tools: readonly ToolDefinition[];
  readonly hooks: readonly HookDeclaration[];
  readonly enrichers: readonly EnricherDeclaration[];
  /** An abort sends `cancel`; the call ends when the plugin answers. */
  callTool(name: string, input?: unknown, options?: DrivenCallOptions): Promise<ToolResult>;
  /** Unset fields are "". @throws Error when the hook failed. */
  runHook(event: Partial<HookParams> & { event: string }): Promise<HookAnswer>;
  /** Topics that it hears of. */
  readonly subscriptions: readonly string[];
  /** Hands it a message of the bus. @throws Error when a handler failed. */
  receive(message: Omit<BusMessage, 'tenant'> & { tenant?: string }): Promise<void>;
  /** The text of an enricher. @throws Error when it failed or there is none. */
  enrich(name: string, session?: Partial<EnricherSession>): Promise<string>;
  /** Resolves when the plugin has ended. */
  deactivate(): Promise<void>;
}

/**
 * Starts a plugin and talks to it like a host does, in version 2 of the protocol, over a connection in memory.
 * @throws Error when the plugin refuses to start.
 */
export async function drivePlugin(plugin: Plugin, options: DriveOptions = {}): Promise<DrivenPlugin> {
  const { pluginId = 'driven', log = () => {} } = options;
  const { pluginEnd, hostEnd } = createLinkedConnection();
  const ended = serveConnection(plugin, pluginEnd, { log });
  const dialogue = createDialogue(hostEnd, options);
  dialogue.send({ method: HOST_METHODS.activate, params: { pluginId, protocolVersions: PROTOCOL_VERSIONS } });
  const { tools, hooks, enrichers, subscriptions, error } = readActivateAnswer(await dialogue.activated);
  if (error !== undefined) throw new Error(error);
  return {
    tools,
    hooks,
    enrichers,
    subscriptions,
    async receive({ topic, data, from, tenant = '' }) {
      const params = { topic, data, from, tenant, callId: 'message' };
      const answer = readCallAnswer(await dialogue.request(HOST_METHODS.busMessage, params, {}));
      if (!answer.ok) throw new Error(answer.error);
    },
    async callTool(name, input = {}, callOptions = {}) {
      const params = { toolName: name, input: JSON.stringify(input), context: contextParams(callOptions) };
      const settled = readCallAnswer(await dialogue.request(HOST_METHODS.executeTool, params, callOptions));
      return settled.ok ? toToolResult(settled.result) : newToolError(settled.error);
    },
    async runHook(event) {
      const unset = { toolName: '', toolInput: '{}', sessionId: '', channel: '', chatId: '' };
      return readHookAnswer(await dialogue.request(HOST_METHODS.hook, { ...unset, ...event }, {}));
    },
    async enrich(enricherName, { id: sessionId = '', channel = '', chatId = '', tenant = '', user = '' } = {}) {
      const params: EnrichParams = { enricherName, sessionId, channel, chatId, tenant, user };
      const answer = readCallAnswer(await dialogue.request(HOST_METHODS.enrich, { ...params }, {}));
      if (!answer.ok) throw new Error(answer.error);
      return String(answer.result);
    },
    deactivate() {
      dialogue.send({ method: HOST_METHODS.deactivate });
      return ended;
    },
  };
}

interface Dialogue {
  send(message: JsonObject): void;
  request(method: string, params: JsonObject, options: DrivenCallOptions): Promise<JsonObject>;
  /** The answer to `activate`, the one message without an id. */
  activated: Promise<JsonObject>;
}

interface Waiter {
  receive(message: JsonObject): void;
  options: DrivenCallOptions;
}

function createDialogue(hostEnd: HostEnd, driveOptions: DriveOptions): Dialogue {
  const { settings = {}, storage = createMemoryStorage(), answer = () => ({ action: 'cancel' }) } = driveOptions;
  const { callTool = noSuchTool, onPublish: publish = () => {} } = driveOptions;
  const send = (message: JsonObject): void => hostEnd.send(JSON.stringify(message));
  const activation = Promise.withResolvers<JsonObject>();
  const waiters = new Map<string, Waiter>();
  let lastId = 0;

  hostEnd.listen((line) => {
    const message = parseWireLine(line);
    const id = message && messageId(message);
    if (!message) return;
    if (kindOfPluginMessage(message) === 'request') {
      void answerPluginRequest(message, { settings, storage, answer, callTool, publish }).then(send);
    } else if (id === undefined) activation.resolve(message);
    else deliver(message, waiters.get(id));
  });

  return {
    send,
    activated: activation.promise,
    request(method, params, options) {
      const { abortSignal } = options;
      lastId += 1;
      const id = String(lastId);
      const cancel = (): void => send({ method: HOST_METHODS.cancel, params: { id } });
      const answered = new Promise<JsonObject>((receive) => void waiters.set(id, { receive, options }));
      send({ id, method, params });
      if (abortSignal?.aborted) cancel();
      abortSignal?.addEventListener('abort', cancel, { once: true });
      return answered.finally(() => {
        waiters.delete(id);
        abortSignal?.removeEventListener('abort', cancel);
      });
    },
  };
}

function deliver(message: JsonObject, waiter: Waiter | undefined): void {
  const kind = kindOfPluginMessage(message);
  if (kind === 'output') waiter?.options.onOutput?.(readOutput(message));
  else if (kind === 'progress') waiter?.options.onProgress?.(readProgress(message));
  else waiter?.receive(message);
}

function contextParams({ session = {}, roots = [] }: DrivenCallOptions): JsonObject {
  const { id = 'test-session', channel = 'cli', chatId = id, tenant = '', user = '' } = session;
  return { sessionId: id, channel, chatId, tenant, user, roots };
}
