import {
  HOST_METHODS,
  type HookAnswer,
  type HookDeclaration,
  type HookParams,
  isJsonObject,
  type JsonObject,
  kindOfPluginMessage,
  messageId,
  type OutputMessage,
  PROTOCOL_VERSIONS,
  type ProgressMessage,
  readActivateAnswer,
  readCallAnswer,
  readHookAnswer,
  readOutput,
  readProgress,
  type ToolDefinition,
  type ToolResult,
} from '@toolpost/protocol';
import type { Plugin } from '../plugin/define-plugin.ts';
import { toToolResult } from '../results/to-tool-result.ts';
import { newToolError } from '../results/tool-results.ts';
import { serveConnection } from '../serve/serve-connection.ts';
import type { AskAnswer, AskForm, LogLevel, Storage, ToolCallContext } from '../tool-call-context.ts';
import { answerPluginRequest } from './answer-plugin-request.ts';
import { createLinkedConnection } from './linked-connection.ts';
import { createMemoryStorage } from './test-context.ts';

export interface DriveOptions {
  pluginId?: string;
  settings?: JsonObject;
  storage?: Storage;
  /** Answers for the user; without it every question is cancelled. */
  answer?: (form: AskForm) => AskAnswer | Promise<AskAnswer>;
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
  /** An abort sends `cancel`; the call ends when the plugin answers. */
  callTool(name: string, input?: unknown, options?: DrivenCallOptions): Promise<ToolResult>;
  /** Unset fields are "". @throws Error when the hook failed. */
  runHook(event: Partial<HookParams> & { event: string }): Promise<HookAnswer>;
  /** Resolves when the plugin has ended. */
  deactivate(): Promise<void>;
}

/**
 * Starts a plugin and talks to it like a host does, in version 2 of the protocol, over a connection in memory.
 * @throws Error when the plugin refuses to start.
 */
export async function drivePlugin(plugin: Plugin, options: DriveOptions = {}): Promise<DrivenPlugin> {
  const { pluginId = 'driven', settings = {}, storage = createMemoryStorage(), log = () => {} } = options;
  const { answer = () => ({ action: 'cancel' }) } = options;
  const { pluginEnd, hostEnd } = createLinkedConnection();
  const ended = serveConnection(plugin, pluginEnd, { log });
  const send = (message: JsonObject): void => hostEnd.send(JSON.stringify(message));

  const activation = Promise.withResolvers<JsonObject>();
  const waiters = new Map<string, { receive(message: JsonObject): void; options: DrivenCallOptions }>();
  hostEnd.listen((line) => {
    const message: unknown = JSON.parse(line);
    if (!isJsonObject(message)) return;
    const kind = kindOfPluginMessage(message);
    const id = messageId(message);
    if (kind === 'request') void answerPluginRequest(message, { settings, storage, answer }).then(send);
    else if (id === undefined) activation.resolve(message);
    else deliver(kind, message, waiters.get(id));
  });

  send({ method: HOST_METHODS.activate, params: { pluginId, protocolVersions: PROTOCOL_VERSIONS } });
  const { tools, hooks, error } = readActivateAnswer(await activation.promise);
  if (error !== undefined) throw new Error(error);

  let lastId = 0;
  const request = (method: string, params: JsonObject, callOptions: DrivenCallOptions): Promise<JsonObject> => {
    lastId += 1;
    const id = String(lastId);
    const { abortSignal } = callOptions;
    const cancel = (): void => send({ method: HOST_METHODS.cancel, params: { id } });
    return new Promise<JsonObject>((receive) => {
      waiters.set(id, { receive, options: callOptions });
      send({ id, method, params });
      if (abortSignal?.aborted) cancel();
      abortSignal?.addEventListener('abort', cancel, { once: true });
    }).finally(() => {
      waiters.delete(id);
      abortSignal?.removeEventListener('abort', cancel);
    });
  };

  return {
    tools,
    hooks,
    async callTool(name, input = {}, callOptions = {}) {
      const params = { toolName: name, input: JSON.stringify(input), context: contextParams(callOptions) };
      const settled = readCallAnswer(await request(HOST_METHODS.executeTool, params, callOptions));
      return settled.ok ? toToolResult(settled.result) : newToolError(settled.error);
    },
    async runHook(event) {
      const unset = { toolName: '', toolInput: '{}', sessionId: '', channel: '', chatId: '' };
      return readHookAnswer(await request(HOST_METHODS.hook, { ...unset, ...event }, {}));
    },
    deactivate() {
      send({ method: HOST_METHODS.deactivate });
      return ended;
    },
  };
}

function deliver(
  kind: ReturnType<typeof kindOfPluginMessage>,
  message: JsonObject,
  waiter: { receive(message: JsonObject): void; options: DrivenCallOptions } | undefined,
): void {
  if (kind === 'output') waiter?.options.onOutput?.(readOutput(message));
  else if (kind === 'progress') waiter?.options.onProgress?.(readProgress(message));
  else waiter?.receive(message);
}

function contextParams({ session = {}, roots = [] }: DrivenCallOptions): JsonObject {
  const { id = 'test-session', channel = 'cli', chatId = id, tenant = '', user = '' } = session;
  return { sessionId: id, channel, chatId, tenant, user, roots };
}
