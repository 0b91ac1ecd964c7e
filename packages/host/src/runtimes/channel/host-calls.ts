import {
  CHANNEL_RPC,
  HOST_METHODS,
  type JsonObject,
  messageId,
  messageOf,
  readCallAnswer,
  readChannelResult,
  readOutput,
  readProgress,
  type ToolDefinition,
} from '@toolpost/protocol';
import type { ProcessLink } from '../process-extension.ts';
import type { PluginCrash, RuntimeCallContext } from '../runtime.ts';

interface Pending {
  readonly context?: RuntimeCallContext;
  readonly resolve: (message: JsonObject) => void;
  readonly reject: (error: Error) => void;
}

/** The host's requests to one life of a channel plugin. Many wait at once, and none of them ends the process. */
export interface HostCalls {
  execute(tool: ToolDefinition, context: RuntimeCallContext): Promise<unknown>;
  /** Resolves with whatever is answered, an error too. Given up by the signal, the process goes on. */
  ask(method: string, params?: object, abortSignal?: AbortSignal): Promise<JsonObject>;
  /** Takes an answer, or what a call streams before it. Returns whether somebody waits for it. */
  receive(message: JsonObject): boolean;
  /** A line of this start was too long to be read. Returns whether it answers a request. */
  receiveOverlong(reason: string, head: string): boolean;
  contextOf(callId: string): RuntimeCallContext | undefined;
  /** Nothing more will be answered: what waits is rejected, and so is whatever is asked from now on. */
  fail(crash: PluginCrash): void;
}

const ID_AT_HEAD = /"id"\s*:\s*"(srv-\d+)"/;

export function createHostCalls(link: ProcessLink, log: (message: string) => void): HostCalls {
  const pending = new Map<string, Pending>();
  let lastId = 0;
  let ended: PluginCrash | undefined;
  const take = (id: string): Pending | undefined => {
    const found = pending.get(id);
    pending.delete(id);
    return found;
  };
  const send = (method: string, params: JsonObject, waiter: Pending): string => {
    if (ended) throw ended;
    const id = `srv-${++lastId}`;
    // Registered first: no answer can come too early.
    pending.set(id, waiter);
    const ids = waiter.context ? { ...params, context: contextParams(waiter.context, id) } : params;
    link.write({ type: CHANNEL_RPC.request, id, method, params: ids });
    return id;
  };

  return {
    execute: (tool, context) =>
      new Promise((resolve, reject) => {
        const settle = (message: JsonObject) => {
          const answer = readCallAnswer(message);
          resolve(answer.ok ? readChannelResult(answer.result) : { content: answer.error, isError: true });
        };
        const params = { name: tool.name, input: context.input };
        const id = send(HOST_METHODS.executeTool, params, { context, resolve: settle, reject });
        context.onAbort((cause) => {
          if (!pending.delete(id)) return;
          if (link.answer.protocolVersion === 2) link.write({ method: HOST_METHODS.cancel, params: { id } });
          reject(new Error(`${tool.name} was given up: ${cause}`));
        });
      }),
    ask: (method, params = {}, abortSignal) =>
      new Promise((resolve, reject) => {
        const id = send(method, { ...params }, { resolve, reject });
        const giveUp = () => take(id)?.reject(new Error(`${method} was given up`));
        abortSignal?.addEventListener('abort', giveUp, { once: true });
        if (abortSignal?.aborted) giveUp();
      }),
    receive(message) {
      const id = messageId(message) ?? '';
      const found = pending.get(id);
      if (!found) return false;
      if (stream(message, found.context, log)) return true;
      take(id);
      try {
        found.resolve(message);
      } catch (error) {
        found.reject(error instanceof Error ? error : new Error(String(error)));
      }
      return true;
    },
    receiveOverlong(reason, head) {
      const found = take(ID_AT_HEAD.exec(head.slice(0, 200))?.[1] ?? '');
      found?.reject(new Error(reason));
      return found !== undefined;
    },
    contextOf: (callId) => pending.get(callId)?.context,
    fail(crash) {
      ended = crash;
      for (const id of [...pending.keys()]) take(id)?.reject(crash);
    },
  };
}

/** Returns whether the message is a part of what the call streams. */
function stream(message: JsonObject, context: RuntimeCallContext | undefined, log: (text: string) => void): boolean {
  if ('result' in message || 'error' in message) return false;
  if (!('output' in message || 'progress' in message)) return false;
  try {
    if ('progress' in message) context?.progress(readProgress(message));
    else {
      const { text, stream: name } = readOutput(message);
      context?.output(text, name);
    }
  } catch (error) {
    log(messageOf(error));
  }
  return true;
}

function contextParams({ session, roots, toolCallId }: RuntimeCallContext, callId: string): JsonObject {
  const { id: sessionId, channel, chatId, tenant, user } = session;
  return { sessionId, channel, chatId, tenant, user, roots, callId, toolCallId };
}
