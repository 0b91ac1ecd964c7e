import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { createApiClient } from '../../packages/protocol/src/index.ts';
import { launcher } from '../repository.js';
import { ANSWERS as INTERFACE_ANSWERS, QUESTION as INTERFACE_QUESTION } from './interface-story.ts';
import { type Stage, setStage } from './stage.ts';
import { ANSWERS, QUESTION } from './story.ts';

const TOKEN = 'the-token-of-the-pictures';
const DESKTOP: BrowserContextOptions = { viewport: { width: 1200, height: 780 }, deviceScaleFactor: 1.5 };
/** A chart grows when it is first drawn, and says nothing of it. */
const CHART_GROWS_MS = 1500;
const WHOLE_INTERFACE = { width: 1200, height: 1000 };
const PHONE: BrowserContextOptions = {
  viewport: { width: 390, height: 780 },
  ...{ deviceScaleFactor: 2, isMobile: true, hasTouch: true },
};

type Save = (page: Page, name: string) => Promise<void>;

/** Both stories in a browser. */
export async function takeBrowserPictures(browser: Browser, save: Save) {
  await takeTurn(browser, save);
  await takeInterface(browser, save);
}

/** A turn: asked in light, ended in dark, and on a phone. */
async function takeTurn(browser: Browser, save: Save) {
  await using stage = await setStage(ANSWERS);
  await using server = await startServer(stage);
  const { api, url } = server;
  for (const title of ['Nightly export is slow', 'Release notes for 2.4', 'Which feeds are late?'])
    await api.createSession({ title });
  const page = await signIn(browser, await api.createLink(), DESKTOP);
  await ask(page, QUESTION);
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
}

/** An interface that the model wrote. */
async function takeInterface(browser: Browser, save: Save) {
  await using stage = await setStage(INTERFACE_ANSWERS);
  await using server = await startServer(stage);
  const page = await signIn(browser, await server.api.createLink(), { ...DESKTOP, viewport: WHOLE_INTERFACE });
  await ask(page, INTERFACE_QUESTION);
  await page.getByText(/^Took/).waitFor();
  const frame = page.frameLocator('iframe').first();
  await frame.locator('canvas, svg').first().waitFor();
  await frame.getByRole('button', { name: 'Watch these feeds' }).waitFor();
  await page.getByRole('textbox', { name: 'Message' }).blur();
  await page.waitForTimeout(CHART_GROWS_MS);
  await save(page, 'web-interface');
}

async function ask(page: Page, question: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Message' }).fill(question);
  await page.keyboard.press('Enter');
}

async function startServer(stage: Stage) {
  const child = spawn(process.execPath, [launcher, 'serve', '--port', '0', ...stage.args], {
    cwd: stage.root,
    env: { ...stage.env, TOOLPOST_TOKEN: TOKEN },
    stdio: ['ignore', 'inherit', 'pipe'],
  });
  let url = '';
  for await (const line of createInterface({ input: child.stderr })) {
    url = /listening on (http:\S+)/.exec(line)?.[1] ?? '';
    if (url !== '') break;
  }
  child.stderr.resume();
  return {
    url,
    api: createApiClient({ baseUrl: url, token: TOKEN, environment: globalThis }),
    async [Symbol.asyncDispose]() {
      const closed = once(child, 'close');
      child.kill();
      await closed;
    },
  };
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
