import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, CDPSession, Page } from 'playwright-core';
import { chromiumPath, startChromium } from '../../packages/web/test/chromium.ts';
import type { Measured } from '../interleave.ts';
import type { Group } from '../report.ts';
import { startToolpost, type ToolpostProcess } from '../server/toolpost-server.ts';
import { median, quantile } from '../statistics.ts';
import { makeFolder } from '../toolpost-host.ts';

const STEPS = 100;
const CHARS = 20_000;
const ROUNDS = 3;
/** The host tells no more often. */
const STEP_MS = 100;
const BUDGET_MS = 100;
const BUDGET = 'what a preview may take';
const PAGE = 'script in the thread of the page';
const FRAME = 'script in the process of the frame';

interface Preview {
  readonly pageMs: number;
  readonly frameMs: number;
}

/** A module that a model writes in a hundred steps, previewed at each: what that takes from the page, and from the frame. */
export async function* measure(): AsyncGenerator<Group> {
  if (chromiumPath === undefined) throw new Error('the bench `interface` needs Chromium: name one with CHROMIUM=PATH');
  const runs = await measureRounds();
  yield {
    title: `a module of ${CHARS / 1000} KB in ${STEPS} steps: one preview`,
    measured: [
      { name: BUDGET, role: 'floor', median: BUDGET_MS, p90: BUDGET_MS, samples: 1, rounds: runs.map(() => BUDGET_MS) },
      toMeasured(PAGE, runs, ({ pageMs }) => pageMs),
      { ...toMeasured(FRAME, runs, ({ frameMs }) => frameMs), role: 'beside' },
    ],
    targets: [{ text: 'every preview takes less than 100 ms of the page', of: PAGE, to: BUDGET, atMost: 1 }],
    notes: [
      describe(
        'page',
        runs.flat().map(({ pageMs }) => pageMs),
      ),
      describe(
        'frame',
        runs.flat().map(({ frameMs }) => frameMs),
      ),
    ],
  };
}

async function measureRounds(): Promise<Preview[][]> {
  const folder = makeFolder();
  const toolpost = await startToolpost(folder);
  const browser = await startChromium();
  try {
    const runs: Preview[][] = [];
    for (let round = 0; round < ROUNDS; round += 1) runs.push(await stream(browser, toolpost));
    return runs;
  } finally {
    await browser.close();
    await toolpost.close();
    folder.remove();
  }
}

/** The slowest of each round is what is held against the budget. */
function toMeasured(name: string, runs: readonly Preview[][], of: (preview: Preview) => number): Measured {
  const all = runs.flat().map(of);
  const rounds = runs.map((run) => Math.max(...run.map(of)));
  return { name, role: 'toolpost', median: median(all), p90: quantile(all, 0.9), samples: all.length, rounds };
}

function describe(who: string, all: readonly number[]): string {
  const [p50, p99, most] = [median(all), quantile(all, 0.99), Math.max(...all)].map((ms) => ms.toFixed(1));
  return `script of the ${who} for one preview: p50 ${p50} ms, p99 ${p99} ms, at most ${most} ms`;
}

async function stream(browser: Browser, toolpost: ToolpostProcess): Promise<Preview[]> {
  const { id } = await toolpost.openSession();
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await page.addInitScript(FEED);
  await page.goto(await toolpost.createLink());
  await page.getByRole('main').waitFor();
  await page.goto(`${toolpost.url}/#/session/${id}`);
  // The page's policy evaluates no text that a test could wait for.
  await page.locator('html[data-feed]').waitFor({ state: 'attached' });
  const tell = createTeller(page, id);
  await tell({ type: 'turn-start', text: 'Draw.' });
  const code = writeModule();
  const uiDelta = { type: 'ui-delta', toolCallId: 'c', mode: 'genui', libs: [], surface: 'inline' };
  // The first one opens the frame.
  await tell({ ...uiDelta, code: code.slice(0, CHARS / STEPS) });
  await page.frameLocator('iframe').locator('#root > *').first().waitFor();
  const [own, frame] = await openDebuggers(page);
  const previews: Preview[] = [];
  for (let step = 2; step <= STEPS; step += 1) {
    const before = [await scriptMs(own), await scriptMs(frame)] as const;
    await tell({ ...uiDelta, code: code.slice(0, Math.ceil((code.length * step) / STEPS)) });
    await sleep(STEP_MS);
    previews.push({ pageMs: (await scriptMs(own)) - before[0], frameMs: (await scriptMs(frame)) - before[1] });
  }
  await page.frameLocator('iframe').getByText('The last line', { exact: true }).waitFor();
  await page.close();
  return previews;
}

async function openDebuggers(page: Page): Promise<[CDPSession, CDPSession]> {
  const inner = page.frames().find((frame) => frame.url().endsWith('/frame/'));
  if (!inner) throw new Error('no frame was opened');
  const sessions = [await page.context().newCDPSession(page), await page.context().newCDPSession(inner)] as const;
  for (const session of sessions) await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  return [sessions[0], sessions[1]];
}

/** Time of the processor since it was opened, in ms: other processes on the machine do not count. */
async function scriptMs(debug: CDPSession): Promise<number> {
  const { metrics } = await debug.send('Performance.getMetrics');
  return 1000 * (metrics.find(({ name }) => name === 'ScriptDuration')?.value ?? Number.NaN);
}

function createTeller(page: Page, sessionId: string): (body: object) => Promise<void> {
  let seq = 0;
  return async (body) => {
    seq += 1;
    const event = { ...body, sessionId, seq, at: Date.now() };
    await page.evaluate(`feedEvent(${JSON.stringify(`id: e:${seq}\ndata: ${JSON.stringify(event)}\n\n`)})`);
  };
}

/** Runs in the page ahead of its own scripts: the stream of events is one that the bench fills. */
const FEED = `{
  const ask = window.fetch;
  window.fetch = (url, how) => {
    if (!String(url).includes('/events')) return ask(url, how);
    const body = new ReadableStream({ start(controller) {
      const encoder = new TextEncoder();
      window.feedEvent = (text) => controller.enqueue(encoder.encode(text));
      document.documentElement.dataset.feed = 'open';
    } });
    return Promise.resolve(new Response(body, { headers: { 'content-type': 'text/event-stream' } }));
  };
}`;

/** Cards of statistics with state, one below the other, up to the wanted size. */
function writeModule(): string {
  const head = `import { useState } from 'react';

export default function App() {
  const [open, setOpen] = useState(false);
  return (
    <UI.Stack>
`;
  const tail = `      <p>The last line</p>
    </UI.Stack>
  );
}
`;
  let rows = '';
  for (let row = 1; head.length + rows.length + tail.length < CHARS; row += 1)
    rows += `      <UI.Card title="Part ${row}"><UI.Stat label="Requests" value={${row * 37}} change="+${row} %" /><UI.Button onClick={() => setOpen(!open)}>{open ? 'Less' : 'More'}</UI.Button></UI.Card>\n`;
  return head + rows + tail;
}
