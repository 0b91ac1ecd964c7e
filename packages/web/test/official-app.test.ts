import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { Browser, FrameLocator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHostWorld } from '../../host/src/fixtures/host-world.ts';
import { openAppsHost } from './apps-host/apps-host.ts';
import { chromiumPath, startChromium, WITHOUT_CHROMIUM } from './chromium.ts';
import { violationsOf } from './violations.ts';
import { calls, card, createWebWorld, logOf, say, says } from './web-world.ts';

/** The example of MCP Apps with React, as its makers publish it: its tool tells the time, and its page asks for it. */
const SERVER = fileURLToPath(new URL('index.js', import.meta.resolve('@modelcontextprotocol/server-basic-react')));
const MCP_SERVERS = { basic: { command: process.execPath, args: [SERVER, '--stdio'] } };
const TOOL = 'mcp__basic__get-time';
const CHILD = fileURLToPath(new URL('../../host/src/mcp-server/fixtures/serve-child.ts', import.meta.url));
const APPS = { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } } };
const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

const timeIn = (frame: FrameLocator) => frame.locator('code').textContent();

describe.skipIf(chromiumPath === undefined)(`the official example of an MCP App${WITHOUT_CHROMIUM}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startChromium();
  });
  afterAll(() => browser?.close());

  it('works in the page: it shows its call, its button calls its tool, its words and links are asked about', async () => {
    await using world = await createWebWorld(browser, {
      allow: [TOOL],
      config: { mcpServers: MCP_SERVERS },
      script: [calls([TOOL, {}]), says('That is the time.')],
    });
    const { page } = await world.openSession();
    await say(page, 'What time is it?');
    await logOf(page).getByText('That is the time.').waitFor();
    const frame = card(page, TOOL).frameLocator('iframe');
    await frame.getByText(TIME).waitFor();
    const first = await timeIn(frame);
    await frame.getByRole('button', { name: 'Get Server Time' }).click();
    await expect.poll(() => timeIn(frame)).not.toBe(first);
    expect(await timeIn(frame)).toMatch(TIME);
    // The call that it made stands in the conversation like any other.
    await card(page, TOOL, 1).waitFor();
    await frame.getByRole('button', { name: 'Send Message' }).click();
    await logOf(page).getByRole('button', { name: /send/i }).first().waitFor();
    await frame.getByRole('button', { name: 'Send Log' }).click();
    await frame.getByRole('button', { name: 'Open Link' }).click();
    await card(page, TOOL).getByText('wants to open https://modelcontextprotocol.io/').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    expect(world.strays).toEqual([]);
  });

  it("works through toolpost mcp in a client by the official package, and finds its server's tool by its own name", async () => {
    const world = createHostWorld();
    world.write('home/config.json', { mcpServers: MCP_SERVERS });
    const client = new Client({ name: 'test', version: '1.0.0' }, { capabilities: APPS });
    const options = JSON.stringify({ roots: [world.root], pluginDirs: [world.pluginsDir], yes: true });
    const env = { ...process.env, TOOLPOST_HOME: world.homeDir } as Record<string, string>;
    await client.connect(new StdioClientTransport({ command: process.execPath, args: [CHILD, options], env }));
    const called: unknown[] = [];
    await using host = await openAppsHost(browser, (params) => {
      called.push(params.name);
      return client.callTool(params as never);
    });
    const { tools } = await client.listTools();
    const tool = tools.find(({ name }) => name === TOOL);
    const uri = String((tool?._meta?.ui as { resourceUri?: string } | undefined)?.resourceUri);
    const [resource] = (await client.readResource({ uri })).contents;
    await host.openApp(resource && 'text' in resource ? resource.text : '', tool);
    await host.tell('sendToolInput', { arguments: {} });
    await host.tell('sendToolResult', await client.callTool({ name: TOOL, arguments: {} }));
    const frame = host.page.frameLocator('iframe');
    await frame.getByText(TIME).waitFor();
    const first = await timeIn(frame);
    await frame.getByRole('button', { name: 'Get Server Time' }).click();
    await expect.poll(() => timeIn(frame)).not.toBe(first);
    expect(await timeIn(frame)).toMatch(TIME);
    expect(called).toEqual(['get-time']);
    expect(host.complaints).toEqual([]);
    await client.close();
  });
});
