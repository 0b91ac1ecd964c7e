import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { followUntil, isTurnEnd, TOKEN } from '../../host/src/server/fixtures/server-world.ts';
import { chromiumPath, startChromium, WITHOUT_CHROMIUM } from './chromium.ts';
import { startCuttableProxy } from './cuttable-proxy.ts';
import { expectQuiet } from './expect-quiet.ts';
import { calls, card, createWebWorld, logOf, say, says, stateOf } from './web-world.ts';

const SCRIPT = [calls(['show_lines', { label: 'one' }]), says('All done.')];

describe.skipIf(chromiumPath === undefined)(`what a page loses and finds again${WITHOUT_CHROMIUM}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startChromium();
  });
  afterAll(() => browser?.close());

  /** What the page shows of the session, in words. */
  const textOf = (page: Page) => logOf(page).evaluate((log) => log.textContent?.replace(/\d+(\.\d)? m?s/g, 'TIME'));
  const runningLines = (page: Page) => card(page, 'show_lines').getByText('one line 20');

  it('shows the same after it was loaded again in the middle of a turn, and goes on from there', async () => {
    await using world = await createWebWorld(browser, { script: SCRIPT });
    const { page } = await world.openSession();
    await say(page, 'Print.');
    await runningLines(page).waitFor();
    const before = await textOf(page);
    await page.reload();
    await runningLines(page).waitFor();
    expect(await textOf(page)).toBe(before);
    writeFileSync(join(world.root, 'one'), '');
    await logOf(page).getByText('All done.').waitFor();
    expectQuiet(world);
  });

  it('misses and repeats nothing when the connection drops while a tool is busy', async () => {
    await using world = await createWebWorld(browser, { script: SCRIPT });
    await using proxy = await startCuttableProxy(world.server.port);
    const { id } = await world.api.createSession();
    const page = await (await browser.newContext()).newPage();
    await page.goto(world.server.createLink().replace(world.server.url, proxy.url));
    await page.getByRole('navigation').waitFor();
    await page.goto(`${proxy.url}/#/session/${id}`);
    await say(page, 'Print.');
    await runningLines(page).waitFor();
    proxy.cut();
    await page.getByText('Connecting again').waitFor();
    writeFileSync(join(world.root, 'one'), '');
    // The turn goes on without the page.
    await followUntil(world.api, id, isTurnEnd);
    proxy.mend();
    await logOf(page).getByText('All done.').waitFor();
    expect(await stateOf(page, 'show_lines')).toBe('completed');
    const other = await world.signIn();
    await other.goto(`${world.server.url}/#/session/${id}`);
    await logOf(other).getByText('All done.').waitFor();
    expect(await textOf(page)).toBe(await textOf(other));
    await page.context().close();
    expectQuiet(world);
  });

  it('shows the same in several tabs, and an answer of one in all of them', async () => {
    await using world = await createWebWorld(browser, {
      script: [calls(['deploy', { service: 'shop' }]), says('Deployed.')],
    });
    const { page, id } = await world.openSession();
    const other = await world.signIn();
    await other.goto(`${world.server.url}/#/session/${id}`);
    await say(page, 'Deploy the shop.');
    await other.getByRole('button', { name: 'For this session', exact: true }).click();
    await logOf(page).getByText('Deployed.').waitFor();
    await logOf(other).getByText('Deployed.').waitFor();
    expect(await page.getByRole('button', { name: 'Allow once' }).count()).toBe(0);
    expect(await textOf(page)).toBe(await textOf(other));
    expectQuiet(world);
  });

  it('uses a link once, and keeps the token in its tab alone', async () => {
    await using world = await createWebWorld(browser);
    const context = await world.openContext();
    const link = world.server.createLink();
    const page = await context.newPage();
    await page.goto(link);
    await page.getByRole('navigation').waitFor();
    expect(page.url()).not.toContain(link.split('#')[1]);
    expect(await page.evaluate('history.length')).toBeLessThan(3);
    const second = await context.newPage();
    await second.goto(link);
    await second.getByText('This link was used before').waitFor();
    expect(await second.evaluate('[localStorage.length, sessionStorage.length, document.cookie]')).toEqual([0, 0, '']);
  });

  it('says to a person that a token is wrong, or that the server has another one since it was started again', async () => {
    await using world = await createWebWorld(browser);
    const page = await (await world.openContext()).newPage();
    await page.goto(world.server.url);
    for (const wrong of ['not-this-one', 'тот же токен']) {
      await page.getByLabel('Or paste the token').fill(wrong);
      await page.keyboard.press('Enter');
      await page.getByRole('alert').filter({ hasText: 'That token is not right.' }).waitFor();
      expect(await page.evaluate('sessionStorage.length')).toBe(0);
      await page.reload();
    }
    await page.getByLabel('Or paste the token').fill(TOKEN);
    await page.keyboard.press('Enter');
    await page.getByRole('navigation').waitFor();
    await page.evaluate("sessionStorage.setItem('toolpost-token', 'the-token-of-the-server-before')");
    await page.reload();
    await page.getByRole('alert').filter({ hasText: 'The server was started again.' }).waitFor();
    expect(await page.getByRole('main').textContent()).not.toMatch(/Authorization|POST|Bearer/);
  });
});
