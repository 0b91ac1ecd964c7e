import type { EventBody, ToolpostEvent } from '@toolpost/protocol';
import { expect, it } from 'vitest';
import { newSession } from './fixtures/open-store.ts';
import { toMarkdown } from './session-markdown.ts';

const NO_USAGE = { inputTokens: 0, outputTokens: 0, totalTokens: 0 };

function documentOf(bodies: readonly EventBody[]): string {
  const log: ToolpostEvent[] = bodies.map((body, index) => ({ ...body, sessionId: 's', seq: index + 1, at: 0 }));
  const stored = {
    ...{ session: newSession(), title: 'about\nfences', model: 'demo', createdAt: 0, updatedAt: 0 },
    ...{ epoch: 'e', lastSeq: log.length, openTurn: undefined },
  };
  return [...toMarkdown(stored, NO_USAGE, log)].join('');
}

const start = (input: string): EventBody => ({
  ...{ type: 'tool-call-start', toolCallId: 'a', name: 'say', plugin: 'p', arguments: input },
});
const end = (text: string, metadata = {}): EventBody => ({
  ...{ type: 'tool-call-end', toolCallId: 'a', name: 'say', outcome: 'completed' },
  result: {
    ...{ id: 'a', name: 'say', plugin: 'p', outcome: 'completed', isError: false, durationMs: 1.4 },
    ...{ content: [{ type: 'text', text }], text, metadata },
  },
});

it('a document closes no fence early, whatever is inside, and shows a diff in place of a result', () => {
  const text = documentOf([start('{}'), end('```\n````\nnot the end'), end('done', { diff: '-a\n+b\n' })]);
  expect(text).toContain('# about fences\n');
  expect(text).toContain('`````\n```\n````\nnot the end\n`````\n');
  expect(text).toContain('`say` completed in 1 ms:\n\n```diff\n-a\n+b\n```\n');
});

it('a document joins what the model said in pieces, and says how turns ended that did not complete', () => {
  const text = documentOf([
    { type: 'turn-start', text: 'go' },
    { type: 'text-delta', text: 'One ' },
    { type: 'text-delta', text: 'answer.' },
    { type: 'turn-end', text: 'One answer.', reason: 'cancelled' },
    { type: 'turn-start', text: 'again' },
    { type: 'turn-error', message: 'no\nmodel' },
  ]);
  expect(text).toContain('## You\n\ngo\n\n## Toolpost\n\nOne answer.\n\n> The turn ended early: cancelled\n');
  expect(text).toContain('> The turn failed: no model\n');
});
