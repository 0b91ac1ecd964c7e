import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { createApiClient } from '../../packages/protocol/src/index.ts';
import { launcher } from '../repository.js';
import { setStage } from './stage.ts';
import { QUESTION } from './story.ts';

const TOKEN = 'the-token-of-the-pictures';
const DESKTOP: BrowserContextOptions = { viewport: { width: 1200, height: 780 }, deviceScaleFactor: 1.5 };
const PHONE: BrowserContextOptions = {
  viewport: { width: 390, height: 780 },
  ...{ deviceScaleFactor: 2, isMobile: true, hasTouch: true },
};

/** The story in a browser: asked in light, ended in dark, and on a phone. */
export async function takeBrowserPictures(browser: Browser, save: (page: Page, name: string) => Promise<void>) {
  await using stage = await setStage();
  const child = spawn(process.execPath, [launcher, 'serve', '--port', '0', ...stage.args], {
    cwd: stage.root,
    env: { ...stage.env, TOOLPOST_TOKEN: TOKEN },
    stdio: ['ignore', 'inherit', 'pipe'],
  });
  try {
    let url = '';
    for await (const line of createInterface({ input: child.stderr })) {
      url = /listening on (http:\S+)/.exec(line)?.[1] ?? '';
      if (url !== '') break;
    }
    child.stderr.resume();
    const api = createApiClient({ baseUrl: url, token: TOKEN, environment: globalThis });
    for (const title of ['Nightly export is slow', 'Release notes for 2.4', 'Which feeds are late?'])
      await api.createSession({ title });
    const page = await signIn(browser, await api.createLink(), DESKTOP);
    await page.getByRole('textbox', { name: 'Message' }).fill(QUESTION);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Allow once' }).waitFor();
    const place = new URL(page.url()).hash;
    await page.getByRole('textbox', { name: 'Message' }).blur();
    await coloured(page);
    await save(page, 'web-light');

    const phone = await signIn(browser, await api.createLink(), PHONE);
    await phone.goto(`${url}/${place}`);
    await phone.getByRole('button', { name: 'Allow once' }).waitFor();
    await coloured(phone);
    await save(phone, 'web-phone');

    await page.getByRole('button', { name: 'Allow once' }).click();
    await page.getByText(/^Took/).waitFor();
    await page.locator('.markdown .code-block span[style]').first().waitFor();
    await page.emulateMedia({ colorScheme: 'dark' });
    await save(page, 'web-dark');
    await page.getByRole('button', { name: 'Inspect the call of edit' }).click();
    await page.getByRole('complementary', { name: 'The call of edit' }).waitFor();
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize({ width: 1200, height: 640 });
    await save(page, 'web-inspector');
  } finally {
    child.kill();
    await once(child, 'close');
  }
}

/** The colours of code come a moment after it. */
async function coloured(page: Page): Promise<void> {
  await page.locator('.question .diff span[style]').first().waitFor();
}

async function signIn(browser: Browser, link: string, options: BrowserContextOptions): Promise<Page> {
  const page = await (await browser.newContext(options)).newPage();
  await page.goto(link);
  await page.getByRole('main').waitFor();
  return page;
}
