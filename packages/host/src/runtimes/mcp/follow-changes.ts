import type { JsonObject } from '@toolpost/protocol';
import { RPC_CODES, RpcError } from './rpc-error.ts';
import type { RpcPeer } from './rpc-peer.ts';

const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 60_000;
/** A subscription that held so long was a good one. */
const GOOD_MS = 60_000;

/**
 * In the later era a server tells of changes only to who has subscribed. A subscription that ends is made again, after a
 * growing pause, and what changed meanwhile is asked for. Returns what ends it.
 * @param notices - what to be told of, by MCP's names: `{"toolsListChanged": true}`
 */
export function followChanges(peer: RpcPeer, notices: JsonObject, onChanged: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  let isEnded = false;
  let pauseMs = FIRST_PAUSE_MS;
  let id: number | undefined;

  const follow = async (): Promise<void> => {
    const startedAt = performance.now();
    const sent = peer.request('subscriptions/listen', { notifications: notices });
    id = sent.id;
    const refusal = await sent.answer.then(
      () => undefined,
      (error: unknown) => error,
    );
    if (isEnded || (refusal instanceof RpcError && refusal.code === RPC_CODES.methodNotFound)) return;
    if (performance.now() - startedAt > GOOD_MS) pauseMs = FIRST_PAUSE_MS;
    timer = setTimeout(() => {
      onChanged();
      void follow();
    }, pauseMs).unref();
    pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
  };

  void follow();
  return () => {
    isEnded = true;
    clearTimeout(timer);
    if (id !== undefined) peer.cancel(id, 'the host is closing');
  };
}
