import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, startChromium, WITHOUT_CHROMIUM } from './chromium.ts';
import { expectQuiet } from './expect-quiet.ts';
import { violationsOf } from './violations.ts';
import { calls, createWebWorld, logOf, say, says } from './web-world.ts';

const EVERYTHING = [
  calls(
    ...[
      ['show_table', {}] as const,
      ['show_tree', {}] as const,
      ['show_image', {}] as const,
      ['show_failure', {}] as const,
    ],
    ...[
      ['read', { file_path: 'a.ts' }] as const,
      ['show_markdown', { text: '# Title\n\n- [x](https://x.example)' }] as const,
    ],
  ),
  calls(['edit', { file_path: 'a.ts', old_string: '1', new_string: '2' }]),
  says('Here `it` is:\n\n```ts\nconst one = 1; // the first\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n> quoted'),
];
const WIDTHS = [
  { name: 'wide', viewport: { width: 1280, height: 800 } },
  { name: 'phone', viewport: { width: 375, height: 667 } },
];

describe.skipIf(chromiumPath === undefined)(`every page of the client${WITHOUT_CHROMIUM}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startChromium();
  });
  afterAll(() => browser?.close());

  async function violationsInBothSchemes(page: Page): Promise<Record<string, readonly string[]>> {
    const found: Record<string, readonly string[]> = {};
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      found[colorScheme] = await violationsOf(page);
    }
    return found;
  }

  it('is read by everyone: light and dark, wide and on a phone', async () => {
    await using world = await createWebWorld(browser, {
      files: { 'a.ts': 'const one = 1;\n' },
      allow: ['show_*', 'edit'],
      script: EVERYTHING,
    });
    const { page, id } = await world.openSession();
    await say(page, 'Show everything.');
    await logOf(page).getByText('quoted').waitFor();
    const places: readonly (readonly [string, () => Promise<void>])[] = [
      [`#/session/${id}`, () => page.getByText(/^Took/).waitFor()],
      ['#/', () => page.getByRole('heading', { name: 'What should be done?' }).waitFor()],
      ['#/tools', () => page.getByRole('link', { name: /^edit/ }).waitFor()],
      ['#/tools/edit', () => page.getByRole('region', { name: 'Why' }).waitFor()],
      ['#/plugins', () => page.getByRole('heading', { name: 'web-fixtures' }).waitFor()],
      ['#/session/none', () => page.getByRole('heading', { name: 'This session is not there' }).waitFor()],
    ];
    for (const { name, viewport } of WIDTHS) {
      await page.setViewportSize(viewport);
      for (const [place, isThere] of places) {
        await page.goto(`${world.server.url}/${place}`);
        await isThere();
        expect(await violationsInBothSchemes(page), `${place}, ${name}`).toEqual({ light: [], dark: [] });
        expect(await page.evaluate('document.documentElement.scrollWidth > innerWidth'), `${place}, ${name}`).toBe(
          false,
        );
      }
    }
    expectQuiet({ ...world, complaints: world.complaints.filter((text) => !text.includes('404')) });
  });

  it('moves nothing for those who asked for less motion', async () => {
    await using world = await createWebWorld(browser, { script: [calls(['show_lines', { label: 'never' }])] });
    const { page } = await world.openSession();
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await say(page, 'Run.');
    await page.getByText('never line 20').waitFor();
    expect(await page.locator('.spinner').count()).toBeGreaterThan(0);
    expect(await page.evaluate('document.getAnimations().length')).toBe(0);
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    expect(await page.evaluate('document.getAnimations().length')).toBeGreaterThan(0);
    expectQuiet(world);
  });

  it('lists all sessions as one scrolls, and finds old ones by a word', async () => {
    await using world = await createWebWorld(browser);
    for (let index = 0; index < 230; index += 1) {
      const chatId = `chat-${index}`;
      const session = world.host.openSession({ tenant: '', user: '', channel: 'web', chatId });
      world.store.create(session, { title: `Session number ${index}` });
    }
    const page = await world.signIn();
    const list = page.getByRole('navigation').getByRole('listitem');
    await list.filter({ hasText: 'Session number 229' }).waitFor();
    expect(await list.filter({ hasText: 'Session number' }).count()).toBe(100);
    for (const count of [200, 230]) {
      await page.locator('.more-sessions').scrollIntoViewIfNeeded();
      await page
        .locator('.session-list a')
        .nth(count - 1)
        .waitFor();
    }
    expect(await page.locator('.more-sessions').count()).toBe(0);
    await page.getByLabel('Search sessions').fill('number 7');
    await list.filter({ hasText: 'Session number 229' }).waitFor({ state: 'detached' });
    await list
      .filter({ hasText: /Session number 7$|Session number 7\d/ })
      .first()
      .waitFor();
    expectQuiet(world);
  });

  it("changes a session's model, and says why another one is not taken", async () => {
    await using world = await createWebWorld(browser);
    const { page, id } = await world.openSession();
    await page.getByRole('button', { name: 'openai-compatible:scripted' }).click();
    const field = page.getByLabel('Model of the session');
    await field.fill('nobody:nothing');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('nobody').waitFor();
    await field.fill('demo');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'demo', exact: true }).waitFor();
    expect((await world.api.getSession(id)).model).toBe('demo');
  });
});
