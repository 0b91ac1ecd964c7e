import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Canary, startCanary } from './canary.ts';
import { chromiumPath, startChromium, WITHOUT_CHROMIUM } from './chromium.ts';
import { type ControlPage, startControlPage } from './control-page.ts';
import { type Escapes, escapesAsScript, loudEscapes, quietEscapes } from './escapes.ts';
import { INTERFACE_TOOLS } from './interface-tools.ts';
import { calls, card, createWebWorld, logOf, say, says } from './web-world.ts';

const plugins = { drawings: INTERFACE_TOOLS };

/** Says that it was drawn, then which ones got out. */
function moduleOf(escapes: Escapes): string {
  return `
export default function App() {
  const [state, setState] = React.useState('drawn');
  React.useEffect(() => {
    ${escapesAsScript(escapes)}.then((names) => setState('escaped: ' + names.join(' ') + '.'));
  }, []);
  return <p>{state}</p>;
}`;
}

describe.skipIf(chromiumPath === undefined)(`ways out of an interface${WITHOUT_CHROMIUM}`, () => {
  let browser: Browser;
  let control: ControlPage;
  let canary: Canary;
  beforeAll(async () => {
    [browser, control, canary] = await Promise.all([startChromium(), startControlPage(), startCanary()]);
  });
  afterAll(async () => {
    await browser?.close();
    await control?.[Symbol.asyncDispose]();
    await canary?.[Symbol.asyncDispose]();
  });

  it('are closed, all of those that work in a plain frame', { timeout: 90_000 }, async () => {
    await using open = await startCanary();
    const context = await browser.newContext();
    const escapes = quietEscapes(open);
    const working = new Set([...(await control.run(context, escapes)), ...open.reached]);
    expect(Object.keys(escapes).filter((name) => !working.has(name))).toEqual([]);
    await context.close();

    await using world = await createWebWorld(browser, {
      plugins,
      script: [calls(['show_genui', { code: moduleOf(quietEscapes(canary)) }]), says('Drawn.')],
    });
    const { page } = await world.openSession();
    await say(page, 'Escape.');
    await logOf(page).getByText('Drawn.').waitFor();
    const frame = card(page, 'show_genui').frameLocator('iframe');
    const said = await frame.getByText(/^escaped:/).textContent();
    expect(said).toBe('escaped: .');
    expect([...canary.reached]).toEqual([]);
  });

  it('lead nowhere, all of those that take a plain frame or its page elsewhere', { timeout: 120_000 }, async () => {
    await using open = await startCanary();
    for (const [name, body] of Object.entries(loudEscapes(open))) {
      const context = await browser.newContext();
      const running = control.run(context, { [name]: body });
      await open.reach(name);
      await context.close();
      await running;
    }

    const loud = Object.entries(loudEscapes(canary));
    await using world = await createWebWorld(browser, {
      plugins,
      script: [
        calls(...loud.map(([name, body]) => ['show_plain', { code: goingModule(name, body) }] as const)),
        says('Drawn.'),
      ],
    });
    const { page } = await world.openSession();
    const pages: string[] = [];
    page.context().on('page', (opened) => pages.push(opened.url()));
    page.on('download', (download) => pages.push(download.url()));
    page.on('dialog', (dialog) => pages.push(dialog.message()));
    await say(page, 'Go.');
    await logOf(page).getByText('Drawn.').waitFor();
    const address = page.url();
    for (const [index, [name]] of loud.entries()) {
      const shown = card(page, 'show_plain', index);
      await shown.scrollIntoViewIfNeeded();
      await shown.frameLocator('iframe').getByRole('button', { name }).click();
      // It is where it was and did what it wanted, or its frame is gone and a card says so.
      const stayed = shown.frameLocator('iframe').getByText('done').waitFor();
      await Promise.any([stayed, shown.getByText('so it was ended').waitFor()]);
    }
    expect([...canary.reached]).toEqual([]);
    expect(pages).toEqual([]);
    expect(page.url()).toBe(address);
    expect(world.strays).toEqual([]);
  });

  it('takes no keys from whoever types, and does nothing with them: one that goes on is ended', {
    timeout: 60_000,
  }, async () => {
    await using world = await createWebWorld(browser, {
      plugins,
      script: [calls(['show_plain', { code: GREEDY }]), says('Drawn.')],
    });
    const { page } = await world.openSession();
    await say(page, 'Take.');
    await logOf(page).getByText('Drawn.').waitFor();
    // Looking into it counts as a press there for some seconds: it may do what only a frame that was just used may.
    await card(page, 'show_plain').frameLocator('iframe').getByText('I listen').waitFor();
    const box = page.getByRole('textbox', { name: 'Message' });
    const cards = () => page.getByRole('article', { name: /^Action order/ }).count();
    await box.click();
    await page.keyboard.press('x');
    // What it has done before that, just looked into, is told by now.
    await page.waitForTimeout(200);
    const before = await cards();
    const ended = card(page, 'show_plain').getByText('took the keyboard by itself').waitFor();
    let typed = '';
    for (let isOver = false; !isOver; typed += 'x') {
      await page.keyboard.press('x');
      isOver = await Promise.race([ended.then(() => true), page.waitForTimeout(50).then(() => false)]);
    }
    await page.keyboard.press('y');
    expect((await box.inputValue()).endsWith('y')).toBe(true);
    expect((await box.inputValue()).length).toBeGreaterThan(typed.length / 2);
    expect(await cards()).toBe(before);
  });

  it('has no peer connection either in a frame within it, where its own script is the only one that may run', async () => {
    await using world = await createWebWorld(browser, {
      plugins,
      script: [calls(['show_plain', { code: NESTED }]), says('Drawn.')],
    });
    const { page } = await world.openSession();
    await say(page, 'Nest.');
    await logOf(page).getByText('Drawn.').waitFor();
    await card(page, 'show_plain')
      .frameLocator('iframe')
      .first()
      .getByText('inside: undefined, here: undefined')
      .waitFor();
  });
});

/** Does in its frame what the page did, with a frame of its own. */
const NESTED = `
export default function App() {
  const [state, setState] = React.useState('');
  React.useEffect(() => {
    const code = "export default () => { parent.postMessage({ inside: typeof RTCPeerConnection }, '*'); return null; }";
    addEventListener('message', ({ data }) => data.inside && setState('inside: ' + data.inside + ', here: ' + typeof RTCPeerConnection));
    const inner = document.createElement('iframe');
    inner.srcdoc = '<body><script>' + document.scripts[0].textContent + '</scr' + 'ipt>';
    inner.onload = () => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = ({ data }) => data.type === 'ready' && port1.postMessage({ type: 'show', version: 1, mode: 'genui', isFinal: true, code });
      inner.contentWindow.postMessage('toolpost:connect', '*', [port2]);
    };
    document.body.append(inner);
  }, []);
  return <p>{state}</p>;
}`;

/** Wants what is typed, and does something with it. */
const GREEDY = `
export default function App() {
  const [keys, setKeys] = React.useState('');
  React.useEffect(() => {
    const timer = setInterval(() => {
      document.querySelector('#trap').focus();
      document.querySelector('label').click();
      document.querySelector('#act').click();
    }, 200);
    return () => clearInterval(timer);
  }, []);
  return <div>I listen<label htmlFor="trap">here</label><input id="trap" onInput={(event) => setKeys(event.target.value)} /><button id="act" data-action="order" data-keys={keys}>a</button></div>;
}`;

/** Goes when it is pressed, with what a press allows a page to do; says when it has done so. */
function goingModule(name: string, body: string): string {
  return `
export default function App() {
  const [state, setState] = React.useState('drawn');
  const go = async () => { ${body} };
  const press = () => go().catch(() => {}).then(() => setTimeout(() => setState('done'), 300));
  return <div><button onClick={press}>{${JSON.stringify(name)}}</button><p>{state}</p></div>;
}`;
}
