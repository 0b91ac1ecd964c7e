import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { chromiumPath, startChromium, WITHOUT_CHROMIUM } from './chromium.ts';
import { createWebWorld, logOf, say, says } from './web-world.ts';

describe.skipIf(chromiumPath === undefined)(`a message that is written further up${WITHOUT_CHROMIUM}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startChromium();
  });
  afterAll(() => browser?.close());

  it('takes its writer to the end, where the answer comes', async () => {
    const long = Array.from({ length: 120 }, (_, at) => `Paragraph ${at}.`).join('\n\n');
    await using world = await createWebWorld(browser, { script: [says(long), says(long, '\n\nThe very end.')] });
    const { page } = await world.openSession();
    await say(page, 'Tell me much.');
    await logOf(page).getByText('Paragraph 119.').waitFor();
    await page.locator('.conversation').evaluate((box) => box.scrollTo({ top: 0 }));
    await page.getByRole('button', { name: 'To the end' }).waitFor();
    await say(page, 'And now?');
    await logOf(page).getByText('The very end.').waitFor();
    await page.getByRole('button', { name: 'To the end' }).waitFor({ state: 'detached' });
  });
});
