import { type CallContextParams, HOST_METHODS } from '@toolpost/protocol';
import type { RuntimeCallContext } from '../runtime.ts';

type SessionParams = Omit<CallContextParams, 'callId' | 'toolCallId' | 'traceparent'>;

interface SessionPart {
  readonly roots: readonly string[];
  readonly json: string;
}

const sessionParts = new WeakMap<RuntimeCallContext['session'], SessionPart>();

/**
 * The line of one call in version 2, without its LF: an ExecuteToolParams under the id. It is put together by hand, since
 * every call pays for it: what is the same for all calls of a session is encoded once.
 * @param id - digits, which need no quoting
 */
export function encodeCall(id: string, toolName: string, context: RuntimeCallContext): string {
  // A program without types may give its calls no id.
  const toolCallId = JSON.stringify(context.toolCallId) ?? '""';
  const { traceparent } = context;
  const traced = traceparent === undefined ? '' : `,"traceparent":"${traceparent}"`;
  return `{"id":"${id}","method":"${HOST_METHODS.executeTool}","params":{"toolName":${JSON.stringify(toolName)},"input":${context.quotedInput},"context":{${sessionPart(context)},"callId":"${id}","toolCallId":${toolCallId}${traced}}}}`;
}

function sessionPart({ session, roots }: RuntimeCallContext): string {
  const known = sessionParts.get(session);
  if (known && known.roots === roots) return known.json;
  const { id: sessionId, channel, chatId, tenant, user } = session;
  const params: SessionParams = { sessionId, channel, chatId, tenant, user, roots };
  const json = JSON.stringify(params).slice(1, -1);
  sessionParts.set(session, { roots, json });
  return json;
}
