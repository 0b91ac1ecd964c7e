import type { HostLink } from './host-link.ts';
import type { WorkerPosts } from './worker-messages.ts';

/** The request by which a guest's thread waits until the host has taken what was posted. */
export const PACE = 'pace';

const MAX_POSTS = 256;
const MAX_CHARS = 256 * 1024;

/** Posts of what a guest may say without end, such as its output. */
export interface PacedPosts {
  post<Kind extends keyof WorkerPosts>(kind: Kind, payload: WorkerPosts[Kind], chars: number): void;
}

/**
 * Now and then the thread waits for the host: what waits to be taken is bounded, and a guest that says more than the host
 * can take is as slow as the host.
 */
export function createPacedPosts(link: HostLink): PacedPosts {
  let posts = 0;
  let sentChars = 0;
  return {
    post(kind, payload, chars) {
      link.post(kind, payload);
      posts += 1;
      sentChars += chars;
      if (posts < MAX_POSTS && sentChars < MAX_CHARS) return;
      posts = 0;
      sentChars = 0;
      link.request(PACE, undefined);
    },
  };
}
