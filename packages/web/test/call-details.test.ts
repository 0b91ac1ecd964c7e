import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EventBody } from '@toolpost/protocol';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, startChromium, WITHOUT_CHROMIUM } from './chromium.ts';
import { expectQuiet } from './expect-quiet.ts';
import { feedEvents } from './feed-events.ts';
import { violationsOf } from './violations.ts';
import { calls, card, createWebWorld, logOf, say, says } from './web-world.ts';

const start = (toolCallId: string): EventBody => ({
  ...{ type: 'tool-call-start', toolCallId, name: toolCallId, plugin: 'p', arguments: '{}' },
});

describe.skipIf(chromiumPath === undefined)(`the details of a call${WITHOUT_CHROMIUM}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startChromium();
  });
  afterAll(() => browser?.close());

  const inspectorOf = async (page: Page, name: string) => {
    await page.getByRole('button', { name: `Inspect the call of ${name}` }).click();
    return page.getByRole('complementary', { name: `The call of ${name}` });
  };

  it('while it runs: its streams apart, all of it at a click, and progress of any kind', async () => {
    await using world = await createWebWorld(browser);
    const { page, id } = await world.openSession();
    const print = (text: string, stream: 'stdout' | 'stderr' = 'stdout'): EventBody => ({
      ...{ type: 'tool-output-delta', toolCallId: 'prints', stream, text },
    });
    const progress = (toolCallId: string, value: number, total: number): EventBody => ({
      ...{ type: 'tool-progress', toolCallId, progress: value, total },
    });
    await feedEvents(page, id, [
      { type: 'turn-start', text: 'Go.' },
      ...[start('prints'), ...Array.from({ length: 12 }, (_, at) => print(`line ${at}\n`))],
      ...[print('half'), print('a warning\n', 'stderr'), print(' a line\n')],
      ...[start('none'), progress('none', 3, 0), start('less'), progress('less', 3, -5)],
      ...[start('more'), progress('more', 30, 10)],
    ]);
    const output = card(page, 'prints').locator('.live-output');
    await output.getByText('half a line').waitFor();
    expect(await output.locator('.stderr').textContent()).toBe('stderr: 2│ a warning');
    expect(await output.getByText('line 5', { exact: true }).count()).toBe(0);
    await output.getByRole('button', { name: 'Show 6 lines above' }).click();
    await output.getByText('line 0').waitFor();
    for (const [name, said] of [
      ['none', '3'],
      ['less', '3'],
      ['more', '100 %'],
    ] as const)
      expect((await card(page, name).locator('.progress').textContent())?.trim()).toBe(said);
    expect(await violationsOf(page)).toEqual([]);
  });

  it('are found however many calls there were since, and what is gone is said to be gone', async () => {
    await using world = await createWebWorld(browser, {
      allow: ['*'],
      programs: { program: ['oracle'] },
      script: [calls(['oracle', {}]), says('There.')],
    });
    const { page, id } = await world.openSession();
    await say(page, 'Ask.');
    await logOf(page).getByText('There.').waitFor();
    const { calls: records } = await world.api.calls(id);
    await expect.poll(() => world.api.journal({ sessionId: id, callId: records[0]?.record.id ?? '' })).toHaveLength(1);
    const inspector = await inspectorOf(page, 'oracle');
    await inspector.getByText('allow', { exact: true }).waitFor();
    expect(await inspector.getByText('no longer').count()).toBe(0);
    expect(await violationsOf(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await world.api.stopPlugin('program');
    await page.route('**/api/journal*', (route) => route.fulfill({ json: { entries: [] } }));
    await inspectorOf(page, 'oracle');
    await inspector.getByText('The process that ran this call is gone').waitFor();
    await inspector.getByText('The journal no longer has this call').waitFor();
    expectQuiet(world);
  });

  it('shows the arguments laid out, and to the letter at a click; texts and answers can be copied', async () => {
    await using world = await createWebWorld(browser, {
      script: [calls(['show_text', { text: 'one thing' }]), says('It is **done**.')],
    });
    const context = await world.openContext({ permissions: ['clipboard-read', 'clipboard-write'] });
    const { page } = await world.openSession(context);
    await say(page, 'Show.');
    await page.getByRole('button', { name: 'Copy the answer' }).click();
    const copied = () => page.evaluate('navigator.clipboard.readText()');
    await expect.poll(copied).toBe('It is **done**.');
    await card(page, 'show_text').getByText('one thing', { exact: true }).last().hover();
    await card(page, 'show_text').getByRole('button', { name: 'Copy the text' }).click();
    await expect.poll(copied).toBe('one thing');
    const inspector = await inspectorOf(page, 'show_text');
    const written = inspector.locator('.part', { hasText: 'as the model wrote them' });
    const text = async () => (await written.locator('pre').textContent())?.trim();
    expect(await text()).toBe('{\n  "text": "one thing"\n}');
    await written.getByRole('button', { name: 'to the letter' }).click();
    expect(await text()).toBe('{"text":"one thing"}');
    expect(await written.getByRole('button', { name: /^Copy/ }).count()).toBe(1);
    expectQuiet(world);
  });

  it('a message that waits for its turn is there after a reload, and in every tab', async () => {
    await using world = await createWebWorld(browser, {
      script: [calls(['show_lines', { label: 'first' }]), says('First.'), says('Second.')],
    });
    const { page, id } = await world.openSession();
    await say(page, 'Begin.');
    await page.getByText('first line 20').waitFor();
    await say(page, 'And then this.');
    const waiting = page.locator('.waiting', { hasText: 'And then this.' });
    await waiting.getByText('Waits for its turn').waitFor();
    await page.reload();
    await waiting.getByText('Waits for its turn').waitFor();
    const other = await world.signIn();
    await other.goto(`${world.server.url}/#/session/${id}`);
    await other.locator('.waiting', { hasText: 'And then this.' }).waitFor();
    writeFileSync(join(world.root, 'first'), '');
    for (const tab of [page, other]) {
      await logOf(tab).getByText('Second.').waitFor();
      await tab.locator('.waiting').waitFor({ state: 'detached' });
      expect(await logOf(tab).getByText('And then this.').count()).toBe(1);
    }
    expectQuiet(world);
  });
});
