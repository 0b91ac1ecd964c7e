import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, startChromium, WITHOUT_CHROMIUM } from './chromium.ts';
import { expectQuiet } from './expect-quiet.ts';
import { COUNTER, INTERFACE_TOOLS } from './interface-tools.ts';
import { calls, card, createWebWorld, logOf, say, says } from './web-world.ts';

const plugins = { drawing: INTERFACE_TOOLS };

describe.skipIf(chromiumPath === undefined)(`beside the conversation${WITHOUT_CHROMIUM}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startChromium();
  });
  afterAll(() => browser?.close());

  it('Esc closes what is innermost, one at a time, and at last cancels the turn, wherever the focus is', async () => {
    await using world = await createWebWorld(browser, {
      plugins,
      script: [calls(['show_beside', { code: COUNTER }]), calls(['show_lines', { label: 'never' }])],
    });
    const { page } = await world.openSession();
    await say(page, 'Draw, and wait.');
    await page.getByText('never line 20').waitFor();
    const panel = page.getByRole('complementary', { name: 'Interface of show_beside' });
    const inspector = page.getByRole('complementary', { name: 'The call of show_lines' });
    await panel.frameLocator('iframe').getByRole('button', { name: 'Pressed 0 times' }).click();
    await page.getByRole('button', { name: 'Inspect the call of show_lines' }).click();
    await inspector.waitFor();
    expect(await panel.count()).toBe(0);
    await page.getByRole('button', { name: 'More for this session' }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
    expect(await inspector.count()).toBe(1);
    await page.getByRole('textbox', { name: 'Message' }).focus();
    await page.keyboard.press('Escape');
    await inspector.waitFor({ state: 'detached' });
    // What was done in it is still there: it was only out of sight.
    await panel.frameLocator('iframe').getByRole('button', { name: 'Pressed 1 times' }).waitFor();
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
    expect(await page.getByText('Working').count()).toBe(1);
    await page.getByRole('link', { name: 'Tools' }).first().focus();
    await page.keyboard.press('Escape');
    await page.getByText(/^Cancelled after/).waitFor();
    expectQuiet(world);
  });

  it('nothing opens by itself over a conversation that has no room beside it', async () => {
    await using world = await createWebWorld(browser, {
      plugins,
      script: [calls(['show_beside', { code: COUNTER }]), says('Drawn.')],
    });
    const { page } = await world.openSession(await world.openContext({ viewport: { width: 390, height: 780 } }));
    await say(page, 'Draw.');
    await logOf(page).getByText('Drawn.').waitFor();
    const panel = page.getByRole('complementary', { name: 'Interface of show_beside' });
    expect(await panel.count()).toBe(0);
    await card(page, 'show_beside').getByRole('button', { name: 'Open the interface' }).click();
    await panel.frameLocator('iframe').getByRole('button', { name: 'Pressed 0 times' }).waitFor();
    expectQuiet(world);
  });

  it('an inspector that breaks takes nothing else down, and can be closed', async () => {
    await using world = await createWebWorld(browser, { script: [calls(['show_table', {}]), says('There.')] });
    const { page } = await world.openSession();
    await say(page, 'Show.');
    await logOf(page).getByText('There.').waitFor();
    // As a server of another version might answer.
    await page.route('**/api/plugins', (route) => route.fulfill({ json: { plugins: [{ id: 'web-fixtures' }] } }));
    await page.getByRole('button', { name: 'Inspect the call of show_table' }).click();
    await page.getByRole('alert').getByText('Toolpost could not show what stands here').waitFor();
    expect(await logOf(page).getByText('There.').isVisible()).toBe(true);
    await page.getByRole('button', { name: 'Close the inspector' }).click();
    expect(await page.getByRole('complementary').count()).toBe(0);
  });

  it('an interface that could not be drawn leaves its error, and no empty place', async () => {
    await using world = await createWebWorld(browser, {
      plugins,
      script: [calls(['show_chart', { code: '{"series": "none"' }]), says('Tried.')],
    });
    const { page } = await world.openSession();
    await say(page, 'Draw.');
    await card(page, 'show_chart').getByText('This interface could not be drawn').waitFor();
    await expect
      .poll(() =>
        card(page, 'show_chart')
          .locator('iframe')
          .evaluate((one) => one.clientHeight),
      )
      .toBe(0);
  });
});
