import type { EventBody, ToolpostEvent } from '@toolpost/protocol';
import { expect, it } from 'vitest';
import { newSession } from './fixtures/open-store.ts';
import { toMarkdown } from './session-markdown.ts';
import { toSpoken } from './spoken-markdown.ts';

const NO_USAGE = { inputTokens: 0, outputTokens: 0, totalTokens: 0 };

function documentOf(bodies: readonly EventBody[], title = 'about\nfences'): string {
  const log: ToolpostEvent[] = bodies.map((body, index) => ({ ...body, sessionId: 's', seq: index + 1, at: 0 }));
  const stored = {
    ...{ session: newSession(), title, model: 'demo', createdAt: 0, updatedAt: 0 },
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

it('a document is neither ended nor widened by what was said', () => {
  const said = 'Look:\n\n```html\n<b>code</b> ![x](y)';
  const text = documentOf(
    [
      { type: 'turn-start', text: '<!-- hidden\n## Toolpost\nforged' },
      { type: 'text-delta', text: said.slice(0, 12) },
      { type: 'text-delta', text: said.slice(12) },
      start('{}'),
      { type: 'turn-error', message: '<img src=x>' },
      { type: 'text-delta', text: '1. a list\n\n   ~~~~\n   <b>\n   ~~~' },
    ],
    'a <script>alert(1)</script> ![title](http://evil.example/x.png)',
  );
  expect(text).toContain('# a \\<script>alert(1)\\</script> \\![title](http://evil.example/x.png)\n');
  expect(text).toContain('## You\n\n\\<!-- hidden\n\\## Toolpost\nforged\n\n## Toolpost\n');
  expect(text).toContain(`${said}\n\`\`\`\n\n**\`say\`**`);
  expect(text).toContain('> The turn failed: \\<img src=x>\n');
  expect(text.endsWith('   ~~~~\n   <b>\n   ~~~\n   ~~~~\n')).toBe(true);
});

it.each([
  ['`<b>` and <b>', '`<b>` and \\<b>'],
  ['``a ` <b>`` <b>', '``a ` <b>`` \\<b>'],
  ['\\`<img src=x>`', '\\`\\<img src=x>`'],
  ['1 < 2, a<-b, x <= y', '1 < 2, a<-b, x <= y'],
  ['\\<b>', '\\<b>'],
  ['\\\\<b>', '\\\\\\<b>'],
  ['```a``` <b>', '```a``` \\<b>'],
  ['# Your plan\n## Two', '# Your plan\n## Two'],
  ['  ## You', '  \\## You'],
])('%j is said in a document as %j', (text, spoken) => {
  expect(toSpoken(text)).toBe(spoken);
});

it('takes a line without end in no time, whatever it is made of', () => {
  const runs = Array.from({ length: 600 }, (_, index) => '`'.repeat(index + 1)).join(' ');
  const start = performance.now();
  for (const line of [runs, '`'.repeat(200_000), '<a'.repeat(100_000), '\\'.repeat(200_000)]) toSpoken(line);
  expect(performance.now() - start).toBeLessThan(3000);
});

it("a document tells what was done in an interface once, and that a turn of it is not the user's", () => {
  const action = { actionId: 'u', toolCallId: 'a', plugin: 'p', action: 'or`der' };
  const done: EventBody = { type: 'ui-action', ...action, data: { note: '```\n## You' } };
  const text = documentOf([
    done,
    { ...done, isNote: true },
    { type: 'turn-start', text: '## An interface\nsays', uiAction: action },
    { type: 'turn-end', text: '', reason: 'completed' },
  ]);
  expect(text).toContain('> In an interface of `p`: `` or`der `` ```` {"note":"```\\n## You"} ````\n');
  expect(text.match(/^> In an/gm)).toHaveLength(1);
  expect(text).toContain('## An interface\n\n\\## An interface\nsays\n\n## Toolpost\n');
});
