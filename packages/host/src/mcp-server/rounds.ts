import { randomUUID } from 'node:crypto';
import { isJsonObject, type JsonObject, quoteValue } from '@toolpost/protocol';
import type { Exchange } from './exchange.ts';
import { OpenRequest } from './open-request.ts';
import { invalidParams } from './rpc-error.ts';
import type { ResultJson } from './write-message.ts';

/** So long a request waits for the client to come back with answers. */
const PARKED_MS = 10 * 60_000;
const MAX_PARKED = 1000;

/** One request of the later era that may ask the client something. */
export interface RoundRequest {
  readonly method: string;
  readonly params: JsonObject;
  run(exchange: Exchange): Promise<ResultJson>;
}

interface Parked {
  readonly open: OpenRequest;
  /** Who may go on with it: the same session, with the same request. */
  readonly owner: string;
  readonly timer: NodeJS.Timeout;
}

/**
 * Requests of the later era that ask: there the server's question is its answer, and the client sends the request again
 * with what it was asked for. What runs meanwhile waits here, by a state that cannot be guessed and holds nothing.
 */
export interface Rounds {
  /** @throws RpcError for a state that is not known, or is another request's. */
  answer(request: RoundRequest, exchange: Exchange): Promise<ResultJson>;
  /** Cancels what waits. */
  close(): void;
}

export function createRounds(parkedMs = PARKED_MS): Rounds {
  const parked = new Map<string, Parked>();

  function park(open: OpenRequest, owner: string): string {
    const [oldest] = parked.size >= MAX_PARKED ? parked : [];
    if (oldest) drop(oldest[0]);
    const state = randomUUID();
    const timer = setTimeout(() => drop(state), parkedMs);
    timer.unref();
    parked.set(state, { open, owner, timer });
    return state;
  }

  function take(state: string): Parked | undefined {
    const found = parked.get(state);
    if (found) clearTimeout(found.timer);
    parked.delete(state);
    return found;
  }

  function drop(state: string): void {
    take(state)?.open.cancel();
  }

  function find(state: unknown, owner: string): OpenRequest | undefined {
    if (state === undefined) return undefined;
    const known = typeof state === 'string' ? parked.get(state) : undefined;
    if (known?.owner === owner) return take(String(state))?.open;
    throw invalidParams('requestState is not one that waits here for this request: send the request without it');
  }

  return {
    async answer(request, exchange) {
      const { requestState, inputResponses = {}, ...params } = request.params;
      if (!isJsonObject(inputResponses))
        throw invalidParams(`inputResponses has to be an object, got ${quoteValue(inputResponses)}`);
      const owner = ownerOf(request.method, params, exchange);
      const open = find(requestState, owner) ?? new OpenRequest(exchange, request.run);
      return open.goOn(exchange, inputResponses, () => park(open, owner));
    },
    close() {
      for (const state of [...parked.keys()]) drop(state);
    },
  };
}

function ownerOf(method: string, { _meta, ...params }: JsonObject, { session }: Exchange): string {
  return JSON.stringify([session.tenant, session.user, session.id, method, params]);
}
