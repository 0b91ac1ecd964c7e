import { quoteValue } from '@toolpost/protocol';
import type { RpcPeer } from './rpc-peer.ts';

const MAX_PAGES = 1000;

/** One page of a list. */
export interface Page {
  readonly items: readonly unknown[];
  /** Counts from 1. */
  readonly number: number;
  /** The server has more; after the last page that is read, more than anybody waits for. */
  readonly hasMore: boolean;
}

/**
 * The pages of a server's list, `member` of the answers to `method`. A list without end is cut, and a cursor that comes
 * again leads nowhere new.
 * @throws Error when the server does not answer with a list.
 */
export async function* pagesOf(peer: RpcPeer, method: string, member: string): AsyncGenerator<Page> {
  const seen = new Set<string>();
  let cursor: string | undefined;
  for (let number = 1; number <= MAX_PAGES; number++) {
    const page = await peer.request(method, cursor === undefined ? {} : { cursor }).answer;
    const items = page[member];
    if (!Array.isArray(items)) throw new Error(`its answer to ${method} has no ${member}: ${quoteValue(items)}`);
    const { nextCursor } = page;
    const hasMore = typeof nextCursor === 'string' && !seen.has(nextCursor);
    yield { items, number, hasMore };
    if (!hasMore) return;
    seen.add(nextCursor);
    cursor = nextCursor;
  }
}
