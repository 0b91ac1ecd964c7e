import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CallRecord, ToolpostEvent } from '@toolpost/protocol';
import type { LiveSession } from '../live-sessions/live-session.ts';

interface CallPage {
  readonly calls: readonly { readonly seq: number; readonly at: number; readonly record: CallRecord }[];
  readonly next?: number;
}

/** The calls of a session that ended behind `after`, by its log. */
export async function callsOf(
  live: Pick<LiveSession, 'events'>,
  { after, limit }: { after: number; limit: number },
): Promise<CallPage> {
  const calls: CallPage['calls'][number][] = [];
  for await (const event of endsOfCalls(live, after)) {
    const last = calls.at(-1);
    if (calls.length === limit && last) return { calls, next: last.seq };
    calls.push({ seq: event.seq, at: event.at, record: event.result });
  }
  return { calls };
}

/** The record of a call; of the latest one where a model used its id again. */
export async function findCall(live: Pick<LiveSession, 'events'>, callId: string): Promise<CallRecord | undefined> {
  let found: CallRecord | undefined;
  for await (const event of endsOfCalls(live, 0)) if (event.toolCallId === callId) found = event.result;
  return found;
}

type CallEnd = Extract<ToolpostEvent, { type: 'tool-call-end' }>;

/** Reads page by page: others have their turn while a long log is searched. */
async function* endsOfCalls(live: Pick<LiveSession, 'events'>, after: number): AsyncGenerator<CallEnd> {
  for (let afterSeq = after; ; ) {
    const page = live.events({ afterSeq });
    for (const event of page) if (event.type === 'tool-call-end') yield event;
    const last = page.at(-1);
    if (!last) return;
    afterSeq = last.seq;
    await nextTurn();
  }
}
