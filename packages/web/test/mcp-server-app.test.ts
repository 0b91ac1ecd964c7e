import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, FrameLocator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundleApp } from './apps-host/apps-host.ts';
import { chromiumPath, startChromium, WITHOUT_CHROMIUM } from './chromium.ts';
import { violationsOf } from './violations.ts';
import { calls, card, createWebWorld, logOf, say, says, type WebWorld } from './web-world.ts';

const SERVER = fileURLToPath(new URL('../../host/src/server/fixtures/app-server.ts', import.meta.url));
const BUTTONS = ['set', 'steal', 'read', 'link', 'say', 'fetch', 'flood'];
const BODY = `<main id="root"><h1>A clock</h1><p id="theme"></p><p id="input"></p><p id="result"></p><p id="unasked"></p>
  ${BUTTONS.map((id) => `<button type="button" id="${id}">${id}</button>`).join('')}<output id="answer"></output></main>`;

describe.skipIf(chromiumPath === undefined)(`a page of an MCP server in the browser${WITHOUT_CHROMIUM}`, () => {
  let browser: Browser;
  let dir: string;
  let world: WebWorld;
  let page: Page;
  let id: string;
  let frame: FrameLocator;
  beforeAll(async () => {
    browser = await startChromium();
    dir = mkdtempSync(join(tmpdir(), 'toolpost-app-'));
    const file = join(dir, 'page.html');
    writeFileSync(file, await bundleApp('./clock-app.ts', BODY));
    world = await createWebWorld(browser, {
      allow: ['mcp__clock__time'],
      config: { mcpServers: { clock: { command: process.execPath, args: [SERVER], env: { APP_PAGE: file } } } },
      script: [calls(['mcp__clock__time', { zone: 'Oslo' }]), says('Noon.')],
    });
    ({ page, id } = await world.openSession());
    await say(page, 'What time is it?');
    await logOf(page).getByText('Noon.').waitFor();
    frame = card(page, 'mcp__clock__time').frameLocator('iframe');
  });
  afterAll(async () => {
    await world?.[Symbol.asyncDispose]();
    await browser?.close();
    if (dir) rmSync(dir, { recursive: true });
  });
  const press = (name: string) => frame.getByRole('button', { name, exact: true }).click();
  const answer = (text: string | RegExp) => frame.locator('#answer').getByText(text).waitFor();

  it('introduces itself and is told of its call, without an origin of its own', async () => {
    await frame.getByText('zone {"zone":"Oslo"}').waitFor();
    await frame.getByText('asked {"zone":"Oslo"}').waitFor();
    await frame.getByText('theme light').waitFor();
    await frame.locator('#unasked').getByText('a page says something only when it is used').waitFor();
    const element = card(page, 'mcp__clock__time').locator('iframe');
    expect(await element.getAttribute('sandbox')).toBe('allow-scripts');
    expect(await frame.locator('html').evaluate(() => globalThis.origin)).toBe('null');
    await card(page, 'mcp__clock__time')
      .getByText(/asks for https:\/\/api\.example, https:\/\/cdn\.example/)
      .waitFor();
    expect(await violationsOf(page)).toEqual([]);
  });

  it('has no network, whatever it asks for', async () => {
    await press('fetch');
    await answer(/failed: Failed to fetch/);
    expect(world.strays).toEqual([]);
  });

  it('calls tools of its server when the user allows it, and no others', async () => {
    await press('steal');
    await answer(/failed: .*no tool "deploy"/);
    await press('set');
    await card(page, 'mcp__clock__set').getByRole('button', { name: 'Allow once' }).click();
    await answer(/set to one/);
    await press('read');
    await answer(/slow by a minute/);
  });

  it('asks before it opens a link', async () => {
    await press('link');
    const question = card(page, 'mcp__clock__time').getByText('wants to open https://docs.example/clock');
    await question.waitFor();
    await card(page, 'mcp__clock__time').getByRole('button', { name: 'No', exact: true }).click();
    await answer(/"isError":true/);
    expect(page.context().pages()).toHaveLength(1);
  });

  it('says nothing in the name of the user: its words are a card', async () => {
    expect(await logOf(page).getByText('said by itself').count()).toBe(0);
    await press('say');
    await answer('{}');
    await logOf(page).getByText('set it, please').waitFor();
    await logOf(page).getByRole('button', { name: /send/i }).first().waitFor();
  });

  it('is not heard when it says too much, and is again when it has stopped', async () => {
    await press('flood');
    await answer('flooded');
    await page.getByRole('textbox', { name: 'Message' }).fill('The page goes on.');
    await expect
      .poll(async () => {
        await press('read');
        return frame.locator('#answer').textContent();
      })
      .toContain('slow by a minute');
  });

  it('follows the scheme of the page, and is there again when the session is opened again', async () => {
    await page.emulateMedia({ colorScheme: 'dark' });
    await frame.getByText('theme dark').waitFor();
    const other = await world.signIn(page.context());
    await other.goto(`${world.server.url}/#/session/${id}`);
    await card(other, 'mcp__clock__time').frameLocator('iframe').getByText('zone {"zone":"Oslo"}').waitFor();
  });
});
