import { type ContentRequest, HOST_METHODS, type JsonObject, writeHookAnswer } from '@toolpost/protocol';
import type { Tool } from '../define/define-tool.ts';
import type { ActivePlugin } from '../plugin/activate-plugin.ts';
import { runEnricher } from '../plugin/enrichers.ts';
import { runHooks } from '../plugin/hooks.ts';
import { answerPreview } from './answer-preview.ts';
import { answerUiAction } from './answer-ui-action.ts';
import { readHookEvent } from './read-hook-event.ts';
import { receiveMessage } from './receive-message.ts';
import type { CallServices } from './served-call.ts';

/** What a request may be answered with. */
export interface RequestContext {
  /** Undefined until the host has activated the plugin. */
  readonly active: ActivePlugin | undefined;
  readonly tools: ReadonlyMap<unknown, Tool>;
  readonly services: CallServices;
  readonly abortSignal: AbortSignal;
}

type Answer = (params: JsonObject, context: RequestContext) => Promise<JsonObject>;

const ANSWERS: Readonly<Record<string, Answer>> = {
  [HOST_METHODS.hook]: async (params, { active, abortSignal }) =>
    writeHookAnswer(await runHooks(active?.hooks ?? [], readHookEvent(params), abortSignal)),
  [HOST_METHODS.enrich]: enrich,
  [HOST_METHODS.content]: content,
  async [HOST_METHODS.busMessage](params, { active, services, abortSignal }) {
    await receiveMessage(active?.subscriptions ?? [], params, { ...services, abortSignal });
    return { result: null };
  },
  [HOST_METHODS.webUiAction]: (params, { active, abortSignal }) =>
    answerUiAction(active?.webUiAction, params, abortSignal),
  [HOST_METHODS.previewTool]: (params, { tools, services: { settings }, abortSignal }) =>
    answerPreview(tools.get(params.toolName), params, { settings, abortSignal }),
  [HOST_METHODS.webPluginRpc]() {
    throw new Error(`${HOST_METHODS.webPluginRpc} not implemented`);
  },
};

/** The fields that answer a request of the host, beside its id. @throws Error whose message answers it */
export async function answerRequest(method: unknown, params: JsonObject, context: RequestContext): Promise<JsonObject> {
  const answer = typeof method === 'string' && Object.hasOwn(ANSWERS, method) ? ANSWERS[method] : undefined;
  if (!answer) throw new Error(`unknown method: ${String(method)}`);
  return answer(params, context);
}

async function enrich(params: JsonObject, { active, abortSignal }: RequestContext): Promise<JsonObject> {
  const enrichers = active?.enrichers ?? [];
  if (enrichers.length === 0) throw new Error(`${HOST_METHODS.enrich} not implemented`);
  const { session } = readHookEvent(params);
  return { result: await runEnricher(enrichers, String(params.enricherName), { session, abortSignal }) };
}

async function content(params: JsonObject, { active, abortSignal }: RequestContext): Promise<JsonObject> {
  if (!active) throw new Error('the plugin is not active');
  const { session } = readHookEvent(params);
  const ask = async () => ({ action: 'cancel' }) as const;
  const request = params.request as ContentRequest;
  return { result: encodeBytes(await active.content.answer(request, { session, abortSignal, ask })) };
}

/** Bytes go as Base64, as in MCP. */
function encodeBytes(value: unknown): unknown {
  return value instanceof Uint8Array ? { blob: Buffer.from(value).toString('base64') } : value;
}
