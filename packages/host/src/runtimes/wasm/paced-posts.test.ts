import { expect, test } from 'vitest';
import type { HostLink } from './host-link.ts';
import { createPacedPosts, PACE } from './paced-posts.ts';

test('what waits for the host is bounded in number and in size', () => {
  let waiting = { posts: 0, chars: 0 };
  let most = { posts: 0, chars: 0 };
  const link: Pick<HostLink, 'post' | 'request'> = {
    post(_kind, payload) {
      const { text } = payload as { text: string };
      waiting = { posts: waiting.posts + 1, chars: waiting.chars + text.length };
      most = { posts: Math.max(most.posts, waiting.posts), chars: Math.max(most.chars, waiting.chars) };
    },
    request(kind) {
      expect(kind).toBe(PACE);
      waiting = { posts: 0, chars: 0 };
      return undefined;
    },
  };
  const { post } = createPacedPosts(link as HostLink);
  for (const length of [1, 5000]) {
    const text = 'x'.repeat(length);
    for (let count = 0; count < 10_000; count++) post('output', { text, stream: 'stdout' }, length);
  }
  expect(most.posts).toBe(256);
  expect(most.chars).toBeLessThan(256 * 1024 + 5000);
});
