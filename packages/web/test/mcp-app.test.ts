import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { Browser, FrameLocator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHostWorld, type HostWorld } from '../../host/src/fixtures/host-world.ts';
import { type AppsHost, openAppsHost } from './apps-host/apps-host.ts';
import { chromiumPath, startChromium, WITHOUT_CHROMIUM } from './chromium.ts';

const CHILD = fileURLToPath(new URL('../../host/src/mcp-server/fixtures/serve-child.ts', import.meta.url));
const APPS = { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } } };
const PLUGIN = `
import { definePlugin, defineTool, diff, form, markdown, newResultBuilder, newToolError, table } from '@toolpost/sdk';
const inputSchema = { type: 'object', properties: { code: { type: 'string' } } };
const draws = (name, ui) => defineTool({ name, description: 'Draws.', inputSchema, ui: { param: 'code', ...ui },
  execute: ({ code }) => ({ content: 'drawn', metadata: { ui_code: code } }) });
export default definePlugin({
  tools: [
    draws('panel', { mode: 'genui', libs: ['motion'] }),
    draws('page', { mode: 'html' }),
    draws('chart', { mode: 'chart', libs: ['echarts'] }),
    defineTool({ name: 'broken', description: 'Fails.', inputSchema, ui: { mode: 'genui', param: 'code' }, execute: () => newToolError('there is no paint left') }),
    defineTool({ name: 'words', description: 'Speaks.', inputSchema, ui: { mode: 'genui' }, execute: () => 'Nothing to draw today.' }),
    defineTool({ name: 'report', description: 'Reports.', inputSchema: { type: 'object', properties: {} }, ui: { mode: 'blocks' },
      execute: () => newResultBuilder().block(table({ title: 'Cities', columns: ['city', 'n'], rows: [['Oslo', 3], ['Rome', 1]] }))
        .block(markdown('**Bold**')).block(diff({ before: 'a', after: 'b' })).block(form({ action: 'order', fields: ['what'] })).build() }),
  ],
  webUiAction: ({ action, data, toolName }) => action === 'order' && toolName + ' ordered ' + data.what,
});`;
const COUNTER = `
import { useState } from 'react';
import { motion } from 'motion/react';
export default function App() {
  const [count, setCount] = useState(0);
  return <UI.Card title="Orders">
    <motion.p>{count} pressed</motion.p>
    <button type="button" onClick={() => setCount(count + 1)}>More</button>
    <button type="button" data-action="order" data-what="tea">Order tea</button>
    <button type="button" data-action="other">Other</button>
    <a href="https://docs.example/page">Read more</a>
  </UI.Card>;
}`;

describe.skipIf(chromiumPath === undefined)(
  `toolpost mcp in a client by the official package${WITHOUT_CHROMIUM}`,
  () => {
    let browser: Browser;
    let world: HostWorld;
    let client: Client;
    let host: AppsHost;
    let page: Page;
    let frame: FrameLocator;
    beforeAll(async () => {
      world = createHostWorld();
      world.addNative('draws', PLUGIN, { permissions: ['tools.register', 'ui.contribute'] });
      client = new Client({ name: 'test', version: '1.0.0' }, { capabilities: APPS });
      const options = JSON.stringify({ roots: [world.root], pluginDirs: [world.pluginsDir], yes: true });
      const env = { ...process.env, TOOLPOST_HOME: world.homeDir } as Record<string, string>;
      await client.connect(new StdioClientTransport({ command: process.execPath, args: [CHILD, options], env }));
      browser = await startChromium();
      host = await openAppsHost(browser, (params) => client.callTool(params as never));
      page = host.page;
      frame = page.frameLocator('iframe');
    });
    afterAll(async () => {
      await host?.[Symbol.asyncDispose]();
      await browser?.close();
      await client?.close();
    });

    const inPage = <T>(call: string, ...given: unknown[]) =>
      page.evaluate(
        ([name, parameters]) =>
          (window as never as Record<string, (...all: unknown[]) => Promise<T>>)[name]?.(...parameters),
        [call, given] as const,
      );
    /** As a client does: finds the page that the tool names, shows it, calls the tool and tells what came. */
    async function show(name: string, code: string, isStreamed = false): Promise<void> {
      const { tools } = await client.listTools();
      const tool = tools.find((one) => one.name === name);
      const { resourceUri: uri } = (tool?._meta?.ui ?? {}) as { resourceUri?: string };
      const [resource] = (await client.readResource({ uri: String(uri) })).contents;
      await inPage('openApp', resource && 'text' in resource ? resource.text : '', tool);
      if (isStreamed) {
        for (let end = 0; end < code.length; end += 40) {
          await inPage('tell', 'sendToolInputPartial', { arguments: { code: code.slice(0, end) } });
        }
      }
      await inPage('tell', 'sendToolInput', { arguments: { code } });
      await inPage('tell', 'sendToolResult', await client.callTool({ name, arguments: { code } }));
    }
    const told = () => page.evaluate(() => (window as never as { told: [string, unknown][] }).told);

    it('shows an interface while it is written, keeps its state, and takes the theme of the client', async () => {
      await show('panel', COUNTER, true);
      await frame.getByText('0 pressed').waitFor();
      await frame.getByRole('button', { name: 'More' }).click();
      await frame.getByText('1 pressed').waitFor();
      expect(await frame.locator('html').getAttribute('data-scheme')).toBe('dark');
      const ink = () => frame.locator('body').evaluate((body) => getComputedStyle(body).color);
      const inDark = await ink();
      await inPage('tell', 'setHostContext', { theme: 'light' });
      await frame.locator('html[data-scheme=light]').waitFor();
      expect([inDark, await ink()]).toEqual(['rgb(231, 230, 227)', 'rgb(31, 32, 34)']);
      const sizes = (await told()).filter(([what]) => what === 'size');
      expect(sizes.at(-1)?.[1]).toMatchObject({ height: expect.any(Number) });
      expect(await inPage('teardown')).toEqual({});
      expect(host.complaints).toEqual([]);
    });

    it("brings actions to the tool's plugin, and what it does not handle to the conversation", async () => {
      await show('panel', COUNTER);
      await frame.getByRole('button', { name: 'Order tea' }).click();
      await frame.getByText('panel ordered tea').waitFor();
      await frame.getByRole('button', { name: 'Other' }).click();
      await frame.getByText('Sent to the conversation.').waitFor();
      const [, message] = (await told()).find(([what]) => what === 'message') ?? [];
      expect(JSON.stringify(message)).toContain('From an interface, not from the user');
      await frame.getByRole('link', { name: 'Read more' }).click();
      await expect.poll(told).toContainEqual(['open-link', { url: 'https://docs.example/page' }]);
    });

    it('runs the scripts of a page, and draws charts, where nothing may be evaluated', async () => {
      const script = `
      let evaluates = true;
      try { new Function('return true')(); } catch { evaluates = false; }
      document.getElementById('a').textContent = 'it runs, and evaluates: ' + evaluates;`;
      await show('page', `<p id="a">before</p><script>${script}</script>`);
      await frame.getByText('it runs, and evaluates: false').waitFor();
      const option = { xAxis: { data: ['Mon', 'Tue'] }, yAxis: {}, series: [{ type: 'bar', data: [1, 2] }] };
      await show('chart', JSON.stringify(option));
      await frame.locator('svg, canvas').first().waitFor();
      expect(host.complaints).toEqual([]);
    });

    it('shows the words of a call that failed or was cancelled, and of one that draws nothing', async () => {
      await show('broken', COUNTER);
      await frame.getByRole('alert').getByText('✗ there is no paint left').waitFor();
      expect(await frame.getByText('0 pressed').count()).toBe(0);
      await show('words', '');
      await frame.getByText('Nothing to draw today.').waitFor();
      await show('panel', COUNTER);
      await frame.getByText('0 pressed').waitFor();
      await inPage('tell', 'sendToolCancelled', { reason: 'enough' });
      await frame.getByRole('alert').getByText('✗ The call was cancelled.').waitFor();
      expect(await frame.getByText('0 pressed').count()).toBe(0);
    });

    it('says what is wrong with an interface', async () => {
      await show('panel', 'export default function App() { return <p>unclosed; }');
      await frame.getByText(/✗ line \d+/).waitFor();
    });

    it('shows the blocks of a result, and brings a form to the plugin', async () => {
      await show('report', '');
      const cells = () => frame.locator('tbody td:first-child').allTextContents();
      await frame.getByRole('button', { name: 'city' }).waitFor();
      expect(await cells()).toEqual(['Oslo', 'Rome']);
      await frame.getByRole('button', { name: 'n', exact: true }).click();
      expect(await cells()).toEqual(['Rome', 'Oslo']);
      await frame.locator('strong', { hasText: 'Bold' }).waitFor();
      await frame.locator('.app-diff .added').waitFor();
      await frame.getByLabel('what').fill('coffee');
      await frame.getByRole('button', { name: 'Send' }).click();
      await frame.getByText('report ordered coffee').first().waitFor();
    });
  },
);
