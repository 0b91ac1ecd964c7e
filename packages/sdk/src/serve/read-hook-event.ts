import { type HookExtra, isJsonObject, type JsonObject } from '@toolpost/protocol';
import type { HookEvent } from '../plugin/hooks.ts';

/** Reads the params of `hook`; what is absent is "". */
export function readHookEvent(params: JsonObject): HookEvent {
  const { toolOutput, toolElapsedMs, prompt, reason, extra } = params;
  const text = (key: string): string => (typeof params[key] === 'string' ? params[key] : '');
  return {
    event: text('event'),
    toolName: text('toolName'),
    toolInput: text('toolInput'),
    ...(typeof toolOutput === 'string' && { toolOutput }),
    ...(typeof toolElapsedMs === 'number' && { toolElapsedMs }),
    ...(typeof prompt === 'string' && { prompt }),
    ...(typeof reason === 'string' && { reason }),
    ...(isJsonObject(extra) && { extra: extra as HookExtra }),
    session: {
      id: text('sessionId'),
      channel: text('channel'),
      chatId: text('chatId'),
      tenant: text('tenant'),
      user: text('user'),
    },
  };
}
