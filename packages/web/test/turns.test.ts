import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, startChromium, WITHOUT_CHROMIUM } from './chromium.ts';
import { expectQuiet } from './expect-quiet.ts';
import { violationsOf } from './violations.ts';
import { calls, card, createWebWorld, logOf, say, says, stateOf } from './web-world.ts';

const FILE = 'export function greet(name: string) {\n  return "hello " + name;\n}\n';
const EDIT = { file_path: 'greet.ts', old_string: '"hello " + name', new_string: '`Hello, ${' + 'name}`' };

describe.skipIf(chromiumPath === undefined)(`a turn in the browser${WITHOUT_CHROMIUM}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startChromium();
  });
  afterAll(() => browser?.close());

  it('shows calls at once, a diff before it is allowed, and the answer', async () => {
    await using world = await createWebWorld(browser, {
      files: { 'greet.ts': FILE },
      script: [
        calls(['show_lines', { label: 'one' }], ['show_lines', { label: 'two' }]),
        calls(['edit', EDIT]),
        says('It **greets** ', 'politely now.'),
      ],
    });
    const { page } = await world.openSession();
    await say(page, 'Make the greeting polite.');
    await card(page, 'show_lines').getByText('one line 20').waitFor();
    await card(page, 'show_lines', 1).getByText('two line 20').waitFor();
    for (const nth of [0, 1]) {
      const lines = (await card(page, 'show_lines', nth).locator('.live-output pre').textContent())?.split('\n');
      const label = nth === 0 ? 'one' : 'two';
      expect(lines).toEqual(Array.from({ length: 8 }, (_, index) => `${label} line ${index + 13}`));
    }
    expect(await stateOf(page, 'show_lines')).toBe('running');
    await card(page, 'show_lines')
      .getByText(/running\s+\d+ s/)
      .waitFor();

    // They end in another order than they began.
    writeFileSync(join(world.root, 'two'), '');
    await card(page, 'show_lines', 1).getByText('all lines of two').waitFor();
    expect(await stateOf(page, 'show_lines')).toBe('running');
    writeFileSync(join(world.root, 'one'), '');

    const question = card(page, 'edit');
    await question.getByRole('button', { name: 'Allow once' }).waitFor();
    expect(readFileSync(join(world.root, 'greet.ts'), 'utf8')).toBe(FILE);
    const rows = await question
      .locator('.diff-table tr')
      .evaluateAll((all) =>
        all.map((row) => `${row.className}|${[...row.querySelectorAll('.line-number')].map((one) => one.textContent)}`),
      );
    expect(rows).toEqual(['same|1,1', 'removed|2,', 'added|,2', 'same|3,3']);
    expect(await violationsOf(page)).toEqual([]);
    await question.getByRole('button', { name: 'Allow once' }).click();
    await logOf(page).getByText('greets').waitFor();
    await page.getByText(/^Took/).waitFor();
    expect(await stateOf(page, 'edit')).toBe('completed');
    expect(await page.locator('.markdown strong').textContent()).toBe('greets');
    expect(readFileSync(join(world.root, 'greet.ts'), 'utf8')).toContain('Hello, $');
    expectQuiet(world);
  });

  it('streams what the model says, and cancels at Esc', async () => {
    const half = says('The first ', 'half');
    await using world = await createWebWorld(browser, {
      script: [{ events: (half.events ?? []).slice(0, 2), end: 'hangs' }],
    });
    const { page } = await world.openSession();
    await say(page, 'Tell me.');
    await page.getByText('The first half').waitFor();
    await page.getByText('Working').waitFor();
    await page.keyboard.press('Escape');
    await page.getByText(/^Cancelled after/).waitFor();
    expect(await page.getByText('Working').count()).toBe(0);
    expectQuiet(world);
  });

  it('hides nothing of what is asked for beside the edge, however long a line is and narrow the page', async () => {
    const line = `const x = 1; ${'/* nothing to see here */ '.repeat(12)}removeEverything();`;
    await using world = await createWebWorld(browser, {
      files: { 'greet.ts': FILE },
      script: [calls(['deploy', { service: line }], ['edit', { ...EDIT, new_string: line }])],
    });
    const { page } = await world.openSession(await world.openContext({ viewport: { width: 375, height: 700 } }));
    await say(page, 'Deploy and edit.');
    for (const name of ['deploy', 'edit']) {
      const question = card(page, name).locator('.question');
      await question.getByText('removeEverything();').first().waitFor();
      const boxes = question.locator('.scroll-box').filter({ visible: true });
      expect(await boxes.count()).toBeGreaterThan(0);
      for (const box of await boxes.all()) {
        const [width, shown] = await box.evaluate((one) => [one.scrollWidth, one.clientWidth]);
        expect(width).toBe(shown);
      }
    }
  });

  it('tells the model why a call was not allowed', async () => {
    await using world = await createWebWorld(browser, {
      script: [calls(['deploy', { service: 'shop' }]), says('I did not deploy.')],
    });
    const { page, id } = await world.openSession();
    await say(page, 'Deploy the shop.');
    await card(page, 'deploy').getByRole('button', { name: 'No…' }).click();
    await page.keyboard.type('not on a Friday');
    await page.keyboard.press('Enter');
    await logOf(page).getByText('I did not deploy.').waitFor();
    expect(await stateOf(page, 'deploy')).toBe('denied');
    const { calls: records } = await world.api.calls(id);
    expect(records[0]?.record.text).toContain('not on a Friday');
    expectQuiet(world);
  });

  it('says of a question without arguments that it has none', async () => {
    await using world = await createWebWorld(browser, {
      allow: [],
      script: [calls(['show_table', {}]), says('There.')],
    });
    const { page } = await world.openSession();
    await say(page, 'Show them.');
    await card(page, 'show_table').getByText('without arguments').waitFor();
    expect(await card(page, 'show_table').textContent()).not.toContain('{}');
    expectQuiet(world);
  });

  it('says what "always" keeps and where, and nothing of it where it is not offered', async () => {
    await using world = await createWebWorld(browser, {
      script: [
        calls(
          ['deploy', { service: 'shop' }],
          ['edit', { file_path: '.git/config', old_string: 'a', new_string: 'b' }],
        ),
      ],
      files: { '.git/config': 'a\n' },
    });
    const { page } = await world.openSession();
    await say(page, 'Deploy the shop.');
    await card(page, 'deploy')
      .getByText(`“Always”: this very call, for you, in ${world.root}, until you take it back`)
      .waitFor();
    await card(page, 'edit').getByText('“For this session”: this very call, until the session ends.').waitFor();
    expect(await card(page, 'edit').textContent()).not.toContain('Always');
    expect(await violationsOf(page)).toEqual([]);
    expectQuiet(world);
  });

  it('shows the end of what a command printed, and how much there is above', async () => {
    await using world = await createWebWorld(browser, {
      allow: ['bash'],
      script: [calls(['bash', { command: 'for n in $(seq 30); do echo "line $n"; done; exit 3' }]), says('It failed.')],
    });
    const { page } = await world.openSession();
    await say(page, 'Run it.');
    await logOf(page).getByText('It failed.').waitFor();
    await card(page, 'bash').getByText('Exit code: 3').waitFor();
    expect(await card(page, 'bash').textContent()).not.toContain('line 10');
    await page.reload();
    await card(page, 'bash').getByText('Exit code: 3').waitFor();
    await card(page, 'bash')
      .getByRole('button', { name: /^Show 2\d lines above$/ })
      .click();
    await card(page, 'bash').getByText('line 10').waitFor();
    expectQuiet(world);
  });

  it('fills in what a tool asks for', async () => {
    await using world = await createWebWorld(browser, { script: [calls(['show_form', {}]), says('Thanks.')] });
    const { page } = await world.openSession();
    await say(page, 'Ask me.');
    await page.getByLabel('Size').fill('7');
    await page.getByLabel('colour').selectOption('green');
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Send', exact: true }).first().click();
    await page.getByText('said {"action":"accept","content":{"size":7,"colour":"green"}}').waitFor();
    expectQuiet(world);
  });

  it('shows results as tables, trees, pictures and Markdown by what they hold, and failures as such', async () => {
    await using world = await createWebWorld(browser, {
      script: [
        calls(
          ...[['show_table', {}] as const, ['show_tree', {}] as const, ['show_image', {}] as const],
          ...[['show_markdown', { text: '# Title\n\n- item' }] as const, ['show_failure', {}] as const],
          ['show_odd', {}],
        ),
        says('There.'),
      ],
    });
    const { page, id } = await world.openSession();
    await say(page, 'Show all.');
    await logOf(page).getByText('There.').waitFor();
    expect(await card(page, 'show_table').getByRole('row').count()).toBe(4);
    expect(await card(page, 'show_table').getByRole('columnheader', { name: 'requests' }).count()).toBe(1);
    await card(page, 'show_tree').getByText('"a.example"').waitFor();
    expect(
      await card(page, 'show_image')
        .getByRole('img')
        .evaluate((image) => Reflect.get(image, 'naturalWidth')),
    ).toBe(1);
    await card(page, 'show_image').getByText('(docs.example)').waitFor();
    await card(page, 'show_markdown').getByRole('listitem').waitFor();
    expect(await stateOf(page, 'show_failure')).toBe('failed');
    await card(page, 'show_failure').getByText('the disk is full').waitFor();
    await card(page, 'show_odd').getByText('no diff at all').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await violationsOf(page)).toEqual([]);

    await page.getByRole('button', { name: 'Inspect the call of show_tree' }).click();
    const inspector = page.getByRole('complementary', { name: 'The call of show_tree' });
    await inspector.getByText('completed').waitFor();
    await inspector.getByText('allow', { exact: true }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.keyboard.press('Escape');
    expect(await inspector.count()).toBe(0);
    expect((await world.api.calls(id)).calls).toHaveLength(6);
    expectQuiet(world);
  });
});
