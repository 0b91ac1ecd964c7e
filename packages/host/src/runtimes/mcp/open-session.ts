import { type Introduction, readDiscovered, readInitialized, type ServerSession } from './protocol-eras.ts';
import { RpcError } from './rpc-error.ts';
import type { RpcPeer } from './rpc-peer.ts';

/** A server that is silent for so long after `server/discover` may be one that waits for `initialize`. */
const DISCOVER_PATIENCE_MS = 2500;

export interface OpenSessionOptions {
  readonly introduction: Introduction;
  /** It is known to speak the earlier era alone. */
  readonly skipsDiscover: boolean;
}

/**
 * Finds out which era a server speaks, and begins a session with it. The later one is asked for first; a server that
 * answers with an error, or that is silent, gets `initialize`. Whichever it answers first counts: a server that starts
 * slowly has both in its input, in this order.
 * @throws Error when it answers neither in a way that we understand.
 */
export async function openSession(peer: RpcPeer, options: OpenSessionOptions): Promise<ServerSession> {
  const { introduction, skipsDiscover } = options;
  if (skipsDiscover) return initialize(peer, introduction);
  const { answer } = peer.request('server/discover', { _meta: introduction.envelope });
  const discovered = answer.then(readDiscovered, orUndefined);
  const first = await Promise.race([discovered, silence()]);
  if (first === 'silent') return firstOf(discovered, initialize(peer, introduction));
  return first ?? initialize(peer, introduction);
}

/** A server that is asked twice may say no to one of the two. */
async function firstOf(
  discovered: Promise<ServerSession | undefined>,
  initialized: Promise<ServerSession>,
): Promise<ServerSession> {
  const later = discovered.then((session) => session ?? Promise.reject(new Error('it does not speak 2026-07-28')));
  return Promise.any([later, initialized]).catch(() => initialized);
}

async function initialize(peer: RpcPeer, { initializeParams }: Introduction): Promise<ServerSession> {
  return readInitialized(await peer.request('initialize', initializeParams).answer);
}

/** An error says that the server does not know the question; what else went wrong is the start's failure. */
function orUndefined(error: unknown): undefined {
  if (error instanceof RpcError) return undefined;
  throw error;
}

function silence(): Promise<'silent'> {
  return new Promise((resolve) => setTimeout(resolve, DISCOVER_PATIENCE_MS, 'silent').unref());
}
