import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, startChromium, WITHOUT_CHROMIUM } from './chromium.ts';
import { COUNTER, INTERFACE_TOOLS } from './interface-tools.ts';
import { calls, card, createWebWorld, logOf, say, says, type WebWorld } from './web-world.ts';

const plugins = { drawings: INTERFACE_TOOLS };
const LOOP = 'export default function App() { for (;;); }';
const LOOP_WHEN_PRESSED =
  'export default () => <button onClick={() => setTimeout(() => { for (;;); }, 50)}>Press</button>';
const BOMB = 'const all = []; for (;;) all.push(new Array(100_000).fill({ all }));';
const ONE_GIGABYTE = `
const all = Array.from({ length: 16 }, () => new Uint8Array(64 * 2 ** 20).fill(1));
export default () => <p>It has {all.reduce((sum, one) => sum + one.length, 0)} bytes.</p>`;

/** The longest time in which the page did nothing, while `during` runs. */
async function longestPause(page: Page, during: () => Promise<void>): Promise<number> {
  await page.evaluate(`window.longest = 0; window.last = performance.now(); window.counting = setInterval(() => {
    const now = performance.now(); window.longest = Math.max(window.longest, now - window.last); window.last = now;
  }, 20)`);
  await during();
  return (await page.evaluate('clearInterval(window.counting), window.longest')) as number;
}

describe.skipIf(chromiumPath === undefined)(`interfaces that mean harm${WITHOUT_CHROMIUM}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startChromium();
  });
  afterAll(() => browser?.close());

  async function draw(world: WebWorld): Promise<Page> {
    const { page } = await world.openSession();
    await say(page, 'Draw.');
    await logOf(page).getByText('Drawn.').waitFor();
    return page;
  }

  it.each([
    ['an endless loop', LOOP],
    ['a memory bomb', `${BOMB}\nexport default () => null;`],
  ])('ends %s, says so, and the page goes on meanwhile', { timeout: 90_000 }, async (_what, code) => {
    await using world = await createWebWorld(browser, {
      plugins,
      script: [calls(['show_plain', { code }]), says('Drawn.')],
    });
    const page = await draw(world);
    const pauseMs = await longestPause(page, () =>
      card(page, 'show_plain').getByRole('alert').getByText('no longer answered').waitFor({ timeout: 30_000 }),
    );
    expect(pauseMs).toBeLessThan(1_000);
    expect(await page.locator('iframe').count()).toBe(0);
    await card(page, 'show_plain').getByRole('button', { name: 'Show code' }).click();
    await card(page, 'show_plain').locator('.code-block').getByText('for').first().waitFor();
    await page.getByRole('textbox', { name: 'Message' }).fill('The page works.');
    await card(page, 'show_plain').getByRole('button', { name: 'Reload' }).click();
    await card(page, 'show_plain').getByRole('alert').getByText('no longer answered').waitFor({ timeout: 30_000 });
  });

  it('keeps the interfaces beside one that hangs', { timeout: 90_000 }, async () => {
    await using world = await createWebWorld(browser, {
      plugins,
      script: [calls(['show_plain', { code: COUNTER }], ['show_plain', { code: LOOP_WHEN_PRESSED }]), says('Drawn.')],
    });
    const page = await draw(world);
    const counter = card(page, 'show_plain')
      .frameLocator('iframe')
      .getByRole('button', { name: /^Pressed/ });
    await counter.click();
    const hanging = card(page, 'show_plain', 1);
    await hanging.frameLocator('iframe').getByRole('button', { name: 'Press' }).click();
    await hanging.getByRole('alert').getByText('no longer answered').waitFor({ timeout: 30_000 });
    await counter.waitFor();
    expect(await card(page, 'show_plain').getByRole('alert').count()).toBe(0);
  });

  it('stays at work beside an interface that takes a gigabyte', { timeout: 90_000 }, async () => {
    await using world = await createWebWorld(browser, {
      plugins,
      script: [calls(['show_plain', { code: ONE_GIGABYTE }]), says('Drawn.')],
    });
    const page = await draw(world);
    const shown = card(page, 'show_plain');
    const pauseMs = await longestPause(page, async () => {
      const drawn = shown.frameLocator('iframe').getByText('It has 1073741824 bytes.').waitFor({ timeout: 30_000 });
      await Promise.any([drawn, shown.getByText('no longer answered').waitFor({ timeout: 30_000 })]);
    });
    expect(pauseMs).toBeLessThan(1_000);
  });

  it('does nothing when its address is opened', async () => {
    await using world = await createWebWorld(browser);
    const page = await world.signIn();
    const [opened] = await Promise.all([
      page.context().waitForEvent('page'),
      page.evaluate(`window.heard = []; window.channel = new MessageChannel();
        channel.port1.onmessage = ({ data }) => heard.push(data);
        window.opened = open('/frame/'); undefined`),
    ]);
    await opened.getByText('By itself this page does nothing').waitFor();
    expect(await opened.evaluate('[self.origin, document.scripts.length]')).toEqual(['null', 0]);
    expect(
      await opened.evaluate('(() => { try { return localStorage.length } catch ({ name }) { return name } })()'),
    ).toBe('SecurityError');
    // Its opener is not the page around it.
    await page.evaluate("opened.postMessage('toolpost:connect', '*', [channel.port2]); undefined");
    await opened.evaluate('new Promise((done) => setTimeout(done, 200))');
    expect(await page.evaluate('heard')).toEqual([]);
  });

  it('believes nothing that a frame says, and lets it act only for its own call when it is used', async () => {
    await using world = await createWebWorld(browser, {
      plugins,
      script: [calls(['show_plain', { code: COUNTER }]), says('Drawn.')],
    });
    const { page } = await world.openSession();
    const asked: unknown[] = [];
    await page.route('**/ui-actions', (route) => {
      asked.push(route.request().postDataJSON());
      return route.fulfill({ json: { handled: 'plugin', result: { text: 'ok', isError: false } } });
    });
    await page.route('**/frame/', (route) => route.fulfill({ contentType: 'text/html', body: FORGER }));
    await say(page, 'Draw.');
    await logOf(page).getByText('Drawn.').waitFor();
    const frame = card(page, 'show_plain').frameLocator('iframe');
    await frame.getByText('said all').waitFor();
    expect(asked).toEqual([]);
    expect(await page.evaluate('({}).polluted === undefined && window.stolen === undefined')).toBe(true);
    const pauseMs = await longestPause(page, () => frame.getByText('flooded').waitFor());
    expect(pauseMs).toBeLessThan(1_000);
    await page.evaluate('new Promise((done) => setTimeout(done, 1100))');
    await frame.getByRole('button', { name: 'Act' }).click();
    await expect.poll(() => asked.length).toBeGreaterThan(0);
    await frame.getByText('answered').waitFor();
    const [{ toolCallId }] = asked as [{ toolCallId: string }];
    // However much it says at once, and whatever call it names.
    expect(asked.length).toBeLessThanOrEqual(5);
    expect(asked).toEqual(asked.map(() => ({ toolCallId, action: 'mine', data: { count: 1 } })));
    expect(toolCallId).not.toBe('another');
  });
});

/** What a frame could do at worst: all of its own script is another's. */
const FORGER = `<!doctype html><body><p id="state"></p><button>Act</button><script>
const state = (text) => { document.querySelector('#state').textContent += text + ' '; };
addEventListener('message', async ({ ports: [port] }) => {
  parent.postMessage({ type: 'action', id: 1, action: 'raw', data: {} }, '*');
  parent.postMessage('toolpost:connect', '*');
  const odd = [null, 1, 'text', [], {}, { type: 'toString' }, { type: '__proto__' }, { type: 'height', height: NaN },
    { type: 'height', height: -1 }, { type: 'height', height: '9' }, { type: 'height', height: 1e308 }, { type: 'shown' },
    { type: 'failed', version: 1, phase: 'x', message: 'm' }, { type: 'failed', version: 1, phase: 'render', message: 'x'.repeat(1e6) },
    { type: 'action', id: 1, action: '', data: {} }, { type: 'action', id: 1, action: 'x'.repeat(200), data: {} },
    { type: 'action', id: 1, action: 'big', data: { text: 'x'.repeat(1e6) } }, { type: 'action', id: 1, action: 'list', data: [1] },
    { type: 'action', id: 1, action: 'circle', data: (() => { const one = {}; one.one = one; return one; })() },
    { type: 'action', id: 1, action: 'unused', toolCallId: 'another', data: JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}') }];
  for (const message of odd) port.postMessage(message);
  port.postMessage({ type: 'ready' });
  port.onmessage = ({ data }) => {
    if (data.type === 'ping') port.postMessage({ type: 'pong', id: data.id });
    if (data.type === 'action-end' && data.text === 'ok') state('answered');
  };
  state('said all');
  for (let index = 0; index < 20_000; index += 1) port.postMessage({ type: 'height', height: index % 900 });
  state('flooded');
  document.querySelector('button').onclick = () => {
    for (let index = 0; index < 50; index += 1)
      port.postMessage({ type: 'action', id: index, action: 'mine', toolCallId: 'another', data: { count: 1 } });
  };
});
</script>`;
