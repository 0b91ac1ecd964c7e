import type { CallRecord, EventBody } from '@toolpost/protocol';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, startChromium, WITHOUT_CHROMIUM } from './chromium.ts';
import { expectQuiet } from './expect-quiet.ts';
import { feedEvents } from './feed-events.ts';
import { card, createWebWorld, logOf, type WebWorld } from './web-world.ts';

function callOf(name: string, result: Partial<CallRecord>): EventBody[] {
  const record: CallRecord = {
    ...{ id: name, name, plugin: 'p', outcome: 'completed', isError: false, content: [], text: '', durationMs: 1 },
    ...result,
  };
  return [
    { type: 'tool-call-start', toolCallId: name, name, plugin: 'p', arguments: '{}' },
    { type: 'tool-call-end', toolCallId: name, name, outcome: record.outcome, result: record },
  ];
}

const textOf = (text: string): Partial<CallRecord> => ({ text, content: [{ type: 'text', text }] });
const END: EventBody[] = [
  ...callOf('last', textOf('before the end')),
  { type: 'text-delta', text: 'The end.' },
  { type: 'turn-end', text: 'The end.', reason: 'completed' },
];

/** As deep as it says, without a call for each level. */
function nested(depth: number): Record<string, unknown> {
  let value: Record<string, unknown> = { bottom: true };
  for (let level = 0; level < depth; level += 1) value = { below: value };
  return value;
}

describe.skipIf(chromiumPath === undefined)(`what is too much for a page${WITHOUT_CHROMIUM}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startChromium();
  });
  afterAll(() => browser?.close());

  /** A page of a session in which this has happened, drawn to its end. */
  async function show(world: WebWorld, bodies: readonly EventBody[]): Promise<Page> {
    const { page, id } = await world.openSession();
    await feedEvents(page, id, [{ type: 'turn-start', text: 'Go' }, ...bodies, ...END]);
    await logOf(page).getByText('The end.').waitFor();
    return page;
  }

  const elementsIn = (page: Page) => page.evaluate<number>('document.querySelectorAll("*").length');

  it('shows lines of a megabyte, and all of one on demand', async () => {
    await using world = await createWebWorld(browser);
    const line = 'abcdefghij '.repeat(100_000);
    const page = await show(world, [
      ...callOf('long_line', textOf(line)),
      ...callOf('long_error', { ...textOf(line), outcome: 'failed', isError: true }),
      ...callOf('long_diff', { metadata: { diff: `--- a\n+++ b\n@@ -1 +1 @@\n-${line}\n+${line}\n` } }),
    ]);
    expect((await card(page, 'long_line').locator('.result').textContent())?.length).toBeLessThan(3000);
    expect((await card(page, 'long_diff').locator('.result').textContent())?.length).toBeLessThan(10_000);
    await card(page, 'long_line').getByRole('button', { name: 'Show all 1100000 characters' }).click();
    await card(page, 'long_line').getByRole('button', { name: 'Show less' }).waitFor();
    expectQuiet(world);
  });

  it('shows tables of 100,000 rows and values of thousands of levels a part at a time', async () => {
    await using world = await createWebWorld(browser);
    const rows = Array.from({ length: 100_000 }, (_, row) => ({ row, name: `row ${row}` }));
    const page = await show(world, [
      ...callOf('rows', { structuredContent: { rows } }),
      ...callOf('deep', { structuredContent: nested(2000) as CallRecord['structuredContent'] & object }),
      ...callOf('wide', { structuredContent: { list: Array.from({ length: 50_000 }, (_, index) => [index]) } }),
    ]);
    expect(await elementsIn(page)).toBeLessThan(3000);
    await card(page, 'rows').getByRole('button', { name: 'Show 500 of 99980 more rows' }).click();
    await card(page, 'rows').getByText('row 519', { exact: true }).waitFor();
    await card(page, 'rows').getByRole('button', { name: 'name' }).click();
    await card(page, 'rows').getByRole('button', { name: 'name' }).click();
    await card(page, 'rows').getByText('row 99999', { exact: true }).waitFor();
    await card(page, 'wide').getByText('[50000]').click();
    await card(page, 'wide').getByRole('button', { name: 'Show 200 of 49800 more' }).waitFor();
    expect(await elementsIn(page)).toBeLessThan(8000);
    expectQuiet(world);
  });

  it('shows Markdown that is made to be slow or deep as the text that it is', async () => {
    await using world = await createWebWorld(browser);
    const page = await show(world, [
      { type: 'text-delta', text: `${'>'.repeat(20_000)} quoted` },
      ...callOf('a', textOf('between')),
      {
        type: 'text-delta',
        text: Array.from({ length: 2000 }, (_, depth) => `${'  '.repeat(depth)}- item`).join('\n'),
      },
      ...callOf('b', textOf('between')),
      { type: 'text-delta', text: `${'['.repeat(20_000)}${'](x)'.repeat(20_000)}` },
      ...callOf('c', textOf('between')),
      { type: 'text-delta', text: '**a '.repeat(50_000) },
      ...callOf('d', textOf('between')),
      {
        type: 'text-delta',
        text: `|${' a |'.repeat(3000)}\n|${'---|'.repeat(3000)}\n${`|${' b |'.repeat(3000)}\n`.repeat(20)}`,
      },
    ]);
    expect(await elementsIn(page)).toBeLessThan(20_000);
    expect(await page.getByRole('alert').count()).toBe(0);
    expectQuiet(world);
  });

  it('stays in its frame with names, arguments and files of any length and direction', async () => {
    await using world = await createWebWorld(browser);
    const name = `\u202e${'very_long_name_'.repeat(700)}`;
    const page = await show(world, [
      ...callOf(name, textOf('of a long name')),
      {
        ...{ type: 'tool-call-start', toolCallId: 'x', name: 'x', plugin: 'p'.repeat(5000), arguments: '{}' },
        displayArg: `\u202egpj.exe ${'x'.repeat(10_000)}`,
      },
      { type: 'tool-call-end', toolCallId: 'x', name: 'x', outcome: 'completed', result: recordOf('x') },
      ...callOf('named', {
        content: [
          {
            type: 'resource_link',
            uri: `https://evil.example/${'a'.repeat(5000)}`,
            name: '\u202ehttps://bank.example',
          },
          { type: 'image', data: 'PHN2Zz48c2NyaXB0PmFsZXJ0KDEpPC9zY3JpcHQ+PC9zdmc+', mimeType: 'image/svg+xml' },
          { type: 'image', data: 'javascript:alert(1)', mimeType: 'image/png' },
          { type: 'image', data: 'AAAA', mimeType: 'image/png" onerror="window.stolen=1' },
        ],
      }),
      { type: 'warning', message: `\u001b]0;owned\u0007${'w'.repeat(5000)}` },
    ]);
    expect(await page.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false);
    expect(
      await page.evaluate(
        'document.querySelector(".conversation").scrollWidth > document.querySelector(".conversation").clientWidth',
      ),
    ).toBe(false);
    expect(await card(page, 'named').locator('img').count()).toBe(0);
    await card(page, 'named').getByText('An image that is not shown here (image/svg+xml)').waitFor();
    expect(await card(page, 'named').getByRole('link').textContent()).toContain('(evil.example)');
    expect(await card(page, 'named').getByRole('link').textContent()).toContain('\\u{202e}');
    expect(await page.title()).not.toContain('owned');
    expectQuiet(world);
  });

  it('scrolls through thousands of entries without having all of them, and keeps what was opened', async () => {
    await using world = await createWebWorld(browser);
    const lines = Array.from({ length: 30 }, (_, index) => `line ${index}`).join('\n');
    const page = await show(
      world,
      Array.from({ length: 1500 }, (_, index) => callOf(`call_${index}_`, textOf(`result ${index}\n${lines}`))).flat(),
    );
    expect(await elementsIn(page)).toBeLessThan(4000);
    const scroll = (part: number) =>
      page.evaluate(
        `(box => box.scrollTo({ top: box.scrollHeight * ${part} }))(document.querySelector('.conversation'))`,
      );
    await scroll(0);
    await card(page, 'call_0_').getByRole('button', { name: 'Show all 31 lines' }).click();
    await card(page, 'call_0_').getByText('line 29').waitFor();
    await scroll(0.5);
    await page
      .getByText(/^result 7\d\d/)
      .first()
      .waitFor();
    expect(await elementsIn(page)).toBeLessThan(4000);
    await scroll(0);
    await card(page, 'call_0_').getByText('line 29').waitFor();
    expect(await card(page, 'call_0_').getByRole('button', { name: 'Show less' }).count()).toBe(1);
    await page.getByRole('button', { name: 'To the end' }).click();
    await logOf(page).getByText('The end.').waitFor();
    const isAtEnd = 'box => box.scrollHeight - box.scrollTop - box.clientHeight < 5';
    await expect.poll(() => page.evaluate(`(${isAtEnd})(document.querySelector('.conversation'))`)).toBe(true);
    expectQuiet(world);
  });
});

function recordOf(name: string): CallRecord {
  return { id: name, name, plugin: 'p', outcome: 'completed', isError: false, content: [], text: '', durationMs: 1 };
}
