import { isJsonObject, type JsonObject, quoteValue } from '@toolpost/protocol';
import type { RuntimeCallContext } from '../runtime.ts';
import { inRounds } from './input-rounds.ts';
import { paramHeaders } from './param-headers.ts';
import { readResult } from './read-result.ts';
import type { ServerTool } from './read-tool.ts';
import type { RpcPeer } from './rpc-peer.ts';

type Headers = Record<string, string> | undefined;

export interface ServerCallOptions {
  readonly peer: RpcPeer;
  readonly serverId: string;
  readonly tool: ServerTool;
  readonly input: JsonObject;
  readonly context: RuntimeCallContext;
}

/** One `tools/call`, with the questions that the server asks before it has a result. */
export class ServerCall {
  readonly #options: ServerCallOptions;
  #requestId: number | undefined;
  #cancelled: Error | undefined;
  #taskId: string | undefined;

  constructor(options: ServerCallOptions) {
    this.#options = options;
  }

  /** Tells the server, and releases whoever waits for the call. */
  cancel(reason: string): void {
    this.#cancelled = new Error(reason);
    const { peer } = this.#options;
    if (this.#requestId !== undefined) peer.cancel(this.#requestId, reason);
    if (this.#taskId !== undefined)
      peer.request('tasks/cancel', { taskId: this.#taskId }).answer.catch(() => undefined);
  }

  /** @returns what the call path settles. @throws RpcError, or what ended the connection. */
  async run({ mirrorsParams }: { mirrorsParams: boolean }): Promise<JsonObject> {
    const { tool, input, serverId, context } = this.#options;
    const headers = mirrorsParams ? paramHeaders(tool.inputSchema, input) : undefined;
    const result = await inRounds(serverId, context, (more) => {
      const params = { name: tool.name, arguments: input, ...more, ...this.#traced };
      return tool.isTask ? this.#runTask(params, headers) : this.#send('tools/call', params, headers);
    });
    return readResult(result);
  }

  /** The trace in the place that MCP has for it, by the name of W3C Trace Context. */
  get #traced(): JsonObject {
    const { traceparent } = this.#options.context;
    return traceparent === undefined ? {} : { _meta: { traceparent } };
  }

  /** The server has the result when the task has ended, and answers as late as that. */
  async #runTask(params: JsonObject, headers: Headers): Promise<JsonObject> {
    const { task } = await this.#send('tools/call', { ...params, task: {} }, headers);
    const taskId = isJsonObject(task) ? task.taskId : undefined;
    if (typeof taskId !== 'string') throw new Error(`the server gave no task: ${quoteValue(task)}`);
    this.#taskId = taskId;
    const result = await this.#send('tasks/result', { taskId }, undefined);
    this.#taskId = undefined;
    return result;
  }

  #send(method: string, params: JsonObject, headers: Headers): Promise<JsonObject> {
    const { peer, context } = this.#options;
    if (this.#cancelled) throw this.#cancelled;
    const sent = peer.request(method, params, {
      headers,
      call: context,
      onProgress: (update) => reportProgress(update, context),
    });
    this.#requestId = sent.id;
    return sent.answer;
  }
}

function reportProgress({ progress, total, message }: JsonObject, context: RuntimeCallContext): void {
  if (typeof progress !== 'number') return;
  context.progress({
    progress,
    ...(typeof total === 'number' && { total }),
    ...(typeof message === 'string' && { message }),
  });
}
