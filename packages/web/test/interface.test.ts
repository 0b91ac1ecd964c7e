import type { Browser, FrameLocator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, startChromium, WITHOUT_CHROMIUM } from './chromium.ts';
import { expectQuiet } from './expect-quiet.ts';
import { COUNTER, INTERFACE_TOOLS } from './interface-tools.ts';
import { calls, card, createWebWorld, logOf, say, says } from './web-world.ts';

const plugins = { drawings: INTERFACE_TOOLS };

function frameIn(page: Page, tool: string): FrameLocator {
  return card(page, tool).frameLocator('iframe');
}

describe.skipIf(chromiumPath === undefined)(`interfaces in the browser${WITHOUT_CHROMIUM}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startChromium();
  });
  afterAll(() => browser?.close());

  it('draws the module of a call in a frame, and again from history', async () => {
    await using world = await createWebWorld(browser, {
      plugins,
      script: [calls(['show_genui', { code: COUNTER }]), says('There it is.')],
    });
    const { page } = await world.openSession();
    await say(page, 'Draw a counter.');
    await logOf(page).getByText('There it is.').waitFor();
    await frameIn(page, 'show_genui').getByRole('button', { name: 'Pressed 0 times' }).click();
    await frameIn(page, 'show_genui').getByRole('button', { name: 'Pressed 1 times' }).waitFor();
    expect(await card(page, 'show_genui').locator('iframe').getAttribute('sandbox')).toBe('allow-scripts');
    await page.reload();
    await frameIn(page, 'show_genui').getByRole('button', { name: 'Pressed 0 times' }).waitFor();
    expectQuiet(world);
  });
});
