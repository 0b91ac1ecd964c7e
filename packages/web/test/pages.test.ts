import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, startChromium, WITHOUT_CHROMIUM } from './chromium.ts';
import { expectQuiet } from './expect-quiet.ts';
import { TOOLS } from './tools.ts';
import { violationsOf } from './violations.ts';
import { calls, card, createWebWorld, logOf, say, says } from './web-world.ts';

const MAX_SCRIPT_BYTES = 300_000;

describe.skipIf(chromiumPath === undefined)(`the pages of the client${WITHOUT_CHROMIUM}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startChromium();
  });
  afterAll(() => browser?.close());

  it('starts a session from the first page, finds it, renames, exports and deletes it', async () => {
    await using world = await createWebWorld(browser, { script: [says('Hello there.')] });
    const page = await world.signIn();
    expect(await violationsOf(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollHeight - innerHeight')).toBe(0);
    await say(page, 'Say hello to the harbour');
    await logOf(page).getByText('Hello there.').waitFor();
    const list = page.getByRole('navigation').getByRole('listitem');
    const { id: other } = await world.api.createSession({ title: 'Something else' });
    await page.keyboard.press('Control+k');
    await page.keyboard.type('HARBOUR');
    await list.filter({ hasText: 'Something else' }).waitFor({ state: 'detached' });
    await list.filter({ hasText: 'Say hello to the harbour' }).waitFor();

    await page.getByRole('button', { name: 'More for this session' }).click();
    await page.getByRole('menuitem', { name: 'Rename' }).click();
    await page.getByLabel('Title of the session').fill('The harbour, renamed');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'The harbour, renamed' }).waitFor();
    await list.filter({ hasText: 'The harbour, renamed' }).waitFor();

    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'More for this session' }).press('Enter');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    const download = await downloading;
    expect(download.suggestedFilename()).toMatch(/^session-.+\.md$/);
    expect(readFileSync(await download.path(), 'utf8')).toContain('Hello there.');

    page.once('dialog', (dialog) => void dialog.accept());
    await page.getByRole('button', { name: 'More for this session' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('heading', { name: 'What should be done?' }).waitFor();
    expect((await world.api.listSessions()).sessions.map(({ id }) => id)).toEqual([other]);
    expectQuiet(world);
  });

  it('offers examples that are sent at a click, and says what the demo model is', async () => {
    await using world = await createWebWorld(browser, { config: { model: 'demo' } });
    const page = await world.signIn();
    await page.getByText('is no language model').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole('list', { name: 'Examples' }).getByRole('button', { name: 'greet Bob' }).click();
    await logOf(page).getByText('I am the demo model').waitFor();
    await page.getByRole('main').getByRole('heading', { name: 'greet Bob', level: 1 }).waitFor();
    expectQuiet(world);
  });

  it('tells what a tool takes, why it is there, and why another name is not', async () => {
    await using world = await createWebWorld(browser, {
      config: { permissions: { allow: ['show_*'], deny: ['edit(secret/**)'] } },
    });
    const page = await world.signIn();
    await page.getByRole('link', { name: 'Tools' }).first().click();
    await page.getByLabel('Search tools').fill('lists services');
    await page
      .getByRole('list', { name: 'Tools' })
      .getByRole('link', { name: /show_table.*web-fixtures/ })
      .waitFor();
    await page.getByLabel('Search tools').fill('');
    await page.getByRole('link', { name: /^edit/ }).click();
    const detail = page.getByRole('article', { name: 'About edit' });
    await detail.getByText('Replaces one exact piece').waitFor();
    await detail.getByText('deny edit(secret/**) permissions.deny[0]').waitFor();
    await detail.getByText('else by default: asks before each call').waitFor();
    expect(await detail.getByText('old_string', { exact: true }).count()).toBe(1);
    expect(await violationsOf(page)).toEqual([]);
    await page.getByLabel('Search tools').fill('deplyo');
    await page.getByRole('link', { name: 'Why is there no “deplyo”?' }).click();
    await page.getByText('No tool of a new session has this name').waitFor();
    await page.getByRole('region', { name: 'Why' }).getByRole('link', { name: 'deploy' }).waitFor();
    expectQuiet(world);
  });

  it('shows plugins and restarts them', async () => {
    await using world = await createWebWorld(browser);
    const page = await world.signIn();
    await page.goto(`${world.server.url}/#/plugins`);
    const plugin = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'web-fixtures' }) });
    await plugin.getByText('active loaded, takes calls').or(plugin.getByText('the first call that needs it')).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Restart web-fixtures' }).click();
    await page.locator('.notice').getByText('web-fixtures was restarted').waitFor();
    world.addNative('newcomer', TOOLS);
    await page.getByRole('button', { name: 'Reload' }).click();
    await page.locator('.notice').getByText('new: newcomer').waitFor();
    await page.getByRole('heading', { name: 'newcomer' }).waitFor();
    expectQuiet(world);
  });

  it('fits a phone, with everything in reach', async () => {
    await using world = await createWebWorld(browser, {
      files: { 'a.ts': `${'x'.repeat(200)}\n` },
      script: [calls(['edit', { file_path: 'a.ts', old_string: 'xxx', new_string: 'y', replace_all: true }])],
    });
    const phone = await world.openContext({ viewport: { width: 375, height: 667 }, isMobile: true, hasTouch: true });
    const { page } = await world.openSession(phone);
    await say(page, `Change it ${'and more '.repeat(30)}`);
    await card(page, 'edit').getByRole('button', { name: 'Allow once' }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    const isTooWide = 'document.documentElement.scrollWidth > innerWidth';
    expect(await page.evaluate(isTooWide)).toBe(false);
    // There is no room for two sides, whatever was chosen elsewhere.
    await page.evaluate("localStorage.setItem('toolpost-diff-layout', 'side by side')");
    await page.reload();
    await card(page, 'edit').locator('.diff').waitFor();
    expect(await card(page, 'edit').locator('.side-by-side').count()).toBe(0);
    expect(await page.getByRole('button', { name: 'side by side' }).count()).toBe(0);
    expect(await page.evaluate(isTooWide)).toBe(false);
    await page.getByRole('button', { name: 'Sessions' }).tap();
    await page
      .getByRole('navigation')
      .getByRole('link', { name: /Change it/ })
      .waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole('link', { name: 'Tools' }).tap();
    await page.getByRole('heading', { name: 'Tools' }).waitFor();
    expect(await page.evaluate(isTooWide)).toBe(false);
  });

  it('is worked by the keyboard alone, a question too', async () => {
    await using world = await createWebWorld(browser, {
      script: [calls(['deploy', { service: 'shop' }]), says('Deployed.')],
    });
    const { page } = await world.openSession();
    await page.keyboard.type('First line');
    await page.keyboard.press('Shift+Enter');
    await page.keyboard.type('second line');
    await page.keyboard.press('Enter');
    await card(page, 'deploy').getByRole('button', { name: 'Allow once' }).waitFor();
    const focused = () => page.evaluate("document.activeElement?.textContent || ''");
    for (let presses = 0; presses < 30 && (await focused()) !== 'Allow once'; presses++)
      await page.keyboard.press('Shift+Tab');
    expect(await focused()).toBe('Allow once');
    await page.keyboard.press('Enter');
    await logOf(page).getByText('Deployed.').waitFor();
    await logOf(page).getByText('First line second line').waitFor();
    expectQuiet(world);
  });

  it(`loads less than ${MAX_SCRIPT_BYTES / 1000} kB of compressed script at first`, async () => {
    await using world = await createWebWorld(browser);
    const context = await world.openContext();
    const sizes: Promise<number>[] = [];
    context.on('response', (response) => {
      if (response.url().endsWith('.js')) sizes.push(response.body().then((body) => gzipSync(body).length));
    });
    const page = await world.signIn(context);
    await page.waitForLoadState('networkidle');
    const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
    expect(bytes).toBeGreaterThan(50_000);
    expect(bytes).toBeLessThan(MAX_SCRIPT_BYTES);
  });

  it('is kept by browsers as long as it stays the same, and no longer', async () => {
    await using world = await createWebWorld(browser);
    const page = await world.raw('/');
    expect(page.headers['cache-control']).toBe('no-cache');
    expect(page.headers['content-security-policy']).toMatch(/default-src 'none'; script-src 'self'; style-src 'self'/);
    const script = /assets\/index-[\w-]+\.js/.exec(page.text)?.[0];
    const found = await world.raw(`/${script}`);
    expect(found.headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': 'text/javascript; charset=utf-8',
    });
    for (const path of ['/assets/..%2findex.html', '/assets/nothing.js', '/assets/%2e%2e%2f%2e%2e%2fpackage.json'])
      expect((await world.raw(path)).status, path).toBe(404);
  });
});
