import type { Browser, FrameLocator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, startChromium, WITHOUT_CHROMIUM } from './chromium.ts';
import { expectQuiet } from './expect-quiet.ts';
import { feedEvents } from './feed-events.ts';
import { BROKEN, CHANGING_CHART, COUNTER, FORM, INTERFACE_TOOLS, LIBRARY, SCENE } from './interface-tools.ts';
import { violationsOf } from './violations.ts';
import { calls, card, createWebWorld, logOf, say, says, type WebWorld } from './web-world.ts';

const plugins = { drawings: INTERFACE_TOOLS };

function frameIn(page: Page, tool: string, nth = 0): FrameLocator {
  return card(page, tool, nth).frameLocator('iframe');
}

describe.skipIf(chromiumPath === undefined)(`interfaces in the browser${WITHOUT_CHROMIUM}`, () => {
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

  it('draws the module of a call in a frame, and again from history', async () => {
    await using world = await createWebWorld(browser, {
      plugins,
      script: [calls(['show_genui', { code: COUNTER }]), says('Drawn.')],
    });
    const page = await draw(world);
    await frameIn(page, 'show_genui').getByRole('button', { name: 'Pressed 0 times' }).click();
    await frameIn(page, 'show_genui').getByRole('button', { name: 'Pressed 1 times' }).waitFor();
    expect(await card(page, 'show_genui').locator('iframe').getAttribute('sandbox')).toBe('allow-scripts');
    expect(await violationsOf(page)).toEqual([]);
    await page.reload();
    await frameIn(page, 'show_genui').getByRole('button', { name: 'Pressed 0 times' }).waitFor();
    expectQuiet(world);
  });

  it('draws pages, charts, Markdown, what a result carries, and a scene in three dimensions', async () => {
    const page_ =
      '<style>b { color: red }</style><b id="out">0</b><button onclick="add(2)">Add</button><script>let sum = 0; function add(n) { sum += n; document.querySelector("#out").textContent = sum; }</script>';
    const chart = {
      title: { text: 'Loads' },
      xAxis: { data: ['a', 'b'] },
      yAxis: {},
      series: [{ type: 'bar', data: [1, 2] }],
    };
    await using world = await createWebWorld(browser, {
      plugins,
      script: [
        calls(
          ...[['show_html', { code: page_ }] as const, ['show_chart', { code: JSON.stringify(chart) }] as const],
          ...[['show_words', { code: '# Title\n\n- one' }] as const, ['show_result', { code: COUNTER }] as const],
          ['show_genui', { code: SCENE }],
        ),
        says('Drawn.'),
      ],
    });
    const page = await draw(world);
    await card(page, 'show_html').scrollIntoViewIfNeeded();
    await frameIn(page, 'show_html').getByRole('button', { name: 'Add' }).click();
    await frameIn(page, 'show_html').getByText('2', { exact: true }).waitFor();
    await frameIn(page, 'show_chart').getByRole('img', { name: 'Loads' }).locator('canvas').waitFor();
    await card(page, 'show_words').getByRole('listitem').waitFor();
    await frameIn(page, 'show_result').getByRole('button', { name: 'Pressed 0 times' }).waitFor();
    await card(page, 'show_genui').scrollIntoViewIfNeeded();
    await frameIn(page, 'show_genui').getByText('drawn: true').waitFor();
    // Of handlers in attributes the policy says that it refuses them; they were taken out and run otherwise.
    const complaints = world.complaints.filter((text) => !text.includes('inline event handler'));
    expectQuiet({ ...world, complaints });
  });

  it('keeps a chart and what its reader has chosen in it while the code around it goes on', async () => {
    await using world = await createWebWorld(browser, {
      plugins,
      script: [calls(['show_genui', { code: CHANGING_CHART }]), says('Drawn.')],
    });
    const page = await draw(world);
    const frame = frameIn(page, 'show_genui');
    const canvas = frame.locator('canvas');
    await canvas.waitFor();
    // The legend's first entry hides its series.
    await canvas.click({ position: { x: 150, y: 12 } });
    await frame.getByText('hidden: in').waitFor();
    await canvas.evaluate((element) => element.setAttribute('data-first', ''));
    for (const count of [1, 2]) {
      await frame.getByRole('button', { name: 'More' }).click();
      await frame.getByText(`drawn ${count} times`).waitFor();
    }
    expect(await frame.locator('canvas[data-first]').count()).toBe(1);
    await page.emulateMedia({ colorScheme: 'dark' });
    await frame.locator('canvas:not([data-first])').waitFor();
    await frame.getByText('hidden: in').waitFor();
    expectQuiet(world);
  });

  it('previews what a model still writes, keeps what was good and the state that somebody made', async () => {
    await using world = await createWebWorld(browser, { plugins });
    const { page, id } = await world.openSession();
    const event = (code: string) => ({
      type: 'ui-delta' as const,
      toolCallId: 'c',
      mode: 'genui',
      libs: [],
      surface: 'inline',
      code,
    });
    const started = [
      { type: 'turn-start' as const, text: 'Draw.' },
      { type: 'tool-input-delta' as const, toolCallId: 'c', name: 'show_genui', text: '{' },
    ];
    const beginning = COUNTER.slice(0, COUNTER.indexOf('<UI.Button action'));
    const feed = await feedEvents(page, id, [...started, event(beginning)]);
    const button = frameIn(page, 'show_genui').getByRole('button', { name: /^Pressed/ });
    await button.click();
    await frameIn(page, 'show_genui').getByText('Pressed 1 times').waitFor();
    feed.add(
      event(COUNTER.replace('</UI.Card>', '<p>{broken(</p></UI.Card>')),
      event(COUNTER.replace('A counter', 'The counter')),
    );
    await frameIn(page, 'show_genui').getByText('The counter').waitFor();
    await frameIn(page, 'show_genui').getByText('Pressed 1 times').waitFor();
    expect(await card(page, 'show_genui').getByRole('alert').count()).toBe(0);
  });

  it('says what is wrong with the code, in which line, and which library its tool has to name', async () => {
    await using world = await createWebWorld(browser, {
      plugins,
      script: [
        calls(
          ...[
            ['show_plain', { code: BROKEN }] as const,
            ['show_plain', { code: 'export default () => <p>{</p>;' }] as const,
          ],
          ...[
            [
              'show_plain',
              { code: "import * as THREE from 'three';\nexport default () => <p>{THREE.REVISION}</p>;" },
            ] as const,
          ],
          ['show_plain', { code: "import left from 'left-pad';\nexport default () => <p>{left}</p>;" }],
        ),
        says('Drawn.'),
      ],
    });
    const page = await draw(world);
    const told = [
      /length.*\(line 4\)/s,
      /could not be drawn.*\(line 1\)/s,
      /name "three" in the libs/,
      /"left-pad" cannot be imported/,
    ];
    for (const [nth, text] of told.entries()) {
      const shown = card(page, 'show_plain', nth);
      await shown.scrollIntoViewIfNeeded();
      await shown.getByRole('alert').filter({ hasText: text }).waitFor();
    }
    expectQuiet(world);
  });

  it('tells of what is pressed and filled in, as a card that the user sends on', async () => {
    await using world = await createWebWorld(browser, {
      plugins,
      script: [calls(['show_genui', { code: FORM }]), says('Drawn.'), says('It is ordered.')],
    });
    const page = await draw(world);
    const frame = frameIn(page, 'show_genui');
    await frame.getByRole('button', { name: 'Order it' }).click();
    // The amount is missing.
    expect(await page.getByRole('article', { name: /^Action/ }).count()).toBe(0);
    await frame.getByLabel('Amount').fill('3');
    await frame.getByLabel('Amount').press('Enter');
    const action = page.getByRole('article', { name: 'Action order,' });
    await action.getByText('"amount": 3').waitFor();
    await action.getByText('"gift": "yes"').waitFor();
    await frame.getByText('send it on there').waitFor();
    await action.getByRole('button', { name: 'Send to the model' }).click();
    await logOf(page).getByText('It is ordered.').waitFor();
    await page.getByRole('article', { name: 'Action order, sent on' }).waitFor();
    await logOf(page).getByText('Sent from an interface of drawings').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    expectQuiet(world);
  });

  it('follows the colours of the page, and keeps few frames alive', async () => {
    const drawing = (nth: number) =>
      `export default () => <p title="${nth}" style={{ background: 'var(--ground-raised)', height: 400 }}>here</p>`;
    await using world = await createWebWorld(browser, {
      plugins,
      script: [
        calls(...Array.from({ length: 9 }, (_, nth) => ['show_plain', { code: drawing(nth) }] as const)),
        says('Drawn.'),
      ],
    });
    const page = await draw(world);
    const last = frameIn(page, 'show_plain', 8).getByText('here');
    const colour = () => last.evaluate('getComputedStyle(document.querySelector("#root p")).backgroundColor');
    await last.waitFor();
    expect(await colour()).toBe('rgb(255, 255, 255)');
    await page.emulateMedia({ colorScheme: 'dark' });
    await expect.poll(colour).toBe('rgb(30, 33, 38)');
    for (let nth = 8; nth >= 0; nth -= 1) {
      await card(page, 'show_plain', nth).scrollIntoViewIfNeeded();
      await frameIn(page, 'show_plain', nth).getByText('here').waitFor();
      expect(await page.locator('iframe').count()).toBeLessThanOrEqual(6);
    }
  });

  it('opens beside the conversation what wants to, and closes at Esc', async () => {
    await using world = await createWebWorld(browser, {
      plugins,
      script: [calls(['show_beside', { code: COUNTER }]), says('Drawn.')],
    });
    const page = await draw(world);
    const panel = page.getByRole('complementary', { name: 'Interface of show_beside' });
    await panel.frameLocator('iframe').getByRole('button', { name: 'Pressed 0 times' }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await panel.getByRole('button', { name: 'Close the interface' }).click();
    expect(await panel.count()).toBe(0);
    await page.reload();
    await card(page, 'show_beside').getByRole('button', { name: 'Open the interface' }).click();
    await panel.frameLocator('iframe').getByRole('button', { name: 'Pressed 0 times' }).waitFor();
    await page.keyboard.press('Escape');
    expect(await panel.count()).toBe(0);
    expectQuiet(world);
  });

  it('has a library that everybody can use, in light and dark, with the keyboard', async () => {
    await using world = await createWebWorld(browser, {
      plugins,
      script: [calls(['show_genui', { code: LIBRARY }]), says('Drawn.')],
    });
    const page = await draw(world);
    const frame = frameIn(page, 'show_genui');
    await frame.getByRole('heading', { name: 'Services' }).waitFor();
    const inner = page.frames().find((one) => one.url().endsWith('/frame/'));
    if (!inner) throw new Error('there is no frame');
    // The page around it has the heading of the whole.
    const found = async () => (await violationsOf(inner)).filter((one) => !one.startsWith('page-has-heading-one'));
    expect(await found()).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    await inner.waitForFunction("document.documentElement.dataset.scheme === 'dark'");
    expect(await found()).toEqual([]);
    await frame.getByRole('button', { name: 'p95 (ms)' }).press('Enter');
    await frame.getByRole('button', { name: 'p95 (ms)' }).press('Enter');
    expect(await frame.getByRole('cell').first().textContent()).toBe('billing');
    await frame.getByRole('tab', { name: 'Lines' }).press('ArrowRight');
    await frame.getByRole('img', { name: /pie/ }).waitFor();
    await frame.getByRole('button', { name: 'Open' }).press('Enter');
    await frame.getByRole('dialog', { name: 'A question' }).waitFor();
    expect(await found()).toEqual([]);
    await page.keyboard.press('Escape');
    expect(await frame.getByRole('dialog').count()).toBe(0);
    await frame.getByRole('button', { name: 'Tell' }).press('Enter');
    await frame.getByRole('status').getByText('Told').waitFor();
    expectQuiet(world);
  });
});
