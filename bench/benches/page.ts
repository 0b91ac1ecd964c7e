import type { Browser, CDPSession, Page } from 'playwright-core';
import { chromiumPath, startChromium } from '../../packages/web/test/chromium.ts';
import type { Measured } from '../interleave.ts';
import { writeLongSession } from '../page/long-session.ts';
import { type Scrolled, scrollPage } from '../page/scroll-page.ts';
import type { Group } from '../report.ts';
import { startToolpost, type ToolpostProcess } from '../server/toolpost-server.ts';
import { median, quantile } from '../statistics.ts';
import { makeFolder } from '../toolpost-host.ts';

const EVENTS = 10_000;
const ROUNDS = 4;
const TURN_MS = 3000;
const BLANK = 'a page without anything, as high';
const PAGE = `the client, a session of ${EVENTS} events`;
/** A wheel that is turned fast; and a thumb that is pulled from one end to the other. */
const SPEEDS = [
  { text: 'Scrolling as with a wheel', pixelsPerSecond: 3000 },
  { text: 'Scrolling through all of it', pixelsPerSecond: 60_000 },
];

interface Subject {
  readonly name: string;
  readonly role: Measured['role'];
  readonly page: Page;
  readonly debug: CDPSession;
  readonly box: string;
}

/** The client for browsers in Chromium, with `toolpost serve` in a process of its own: how evenly a long session moves. */
export async function* measure(): AsyncGenerator<Group> {
  if (chromiumPath === undefined) throw new Error('the bench `page` needs Chromium: name one with CHROMIUM=PATH');
  const folder = makeFolder();
  const toolpost = await startToolpost(folder);
  const browser = await startChromium();
  const client = await openClient(browser, toolpost);
  const blank = await openBlank(browser, client);
  for (const { text, pixelsPerSecond } of SPEEDS) yield await measureSpeed([blank, client], { text, pixelsPerSecond });
  await browser.close();
  await toolpost.close();
  folder.remove();
}

async function openClient(browser: Browser, toolpost: ToolpostProcess): Promise<Subject> {
  const { id } = await toolpost.openSession();
  await writeLongSession(toolpost.homeDir, { id, count: EVENTS });
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await page.goto(await toolpost.createLink());
  await page.getByRole('main').waitFor();
  await page.goto(`${toolpost.url}/#/session/${id}`);
  await page.locator('[role=log][aria-busy=false]').waitFor();
  await page.locator('.turn-end').last().waitFor();
  return subject(page, { name: PAGE, role: 'toolpost', box: '.conversation' });
}

async function openBlank(browser: Browser, { page: client, box }: Subject): Promise<Subject> {
  const height = await client.locator(box).evaluate((element) => Reflect.get(element, 'scrollHeight'));
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await page.setContent(
    `<div id="box" style="height: 100vh; overflow: auto"><div style="height: ${height}px"></div></div>`,
  );
  return subject(page, { name: BLANK, role: 'floor', box: '#box' });
}

async function subject(page: Page, rest: Pick<Subject, 'name' | 'role' | 'box'>): Promise<Subject> {
  const debug = await page.context().newCDPSession(page);
  await debug.send('Performance.enable', { timeDomain: 'threadTicks' });
  return { ...rest, page, debug };
}

interface Speed {
  readonly text: string;
  readonly pixelsPerSecond: number;
}

async function measureSpeed(subjects: readonly Subject[], { text, pixelsPerSecond }: Speed): Promise<Group> {
  const runs = new Map<string, Scrolled[]>(subjects.map(({ name }) => [name, []]));
  for (let round = 0; round < ROUNDS; round += 1)
    for (const { name, page, debug, box } of subjects) {
      await page.bringToFront();
      // Each round begins somewhere else, down or up again: parts that were drawn before and parts that were not.
      const height: number = await page.locator(box).evaluate((element) => Reflect.get(element, 'scrollHeight'));
      const way = (pixelsPerSecond * TURN_MS) / 1000;
      const from = way > height ? (round % 2) * height : ((height - way) / ROUNDS) * round;
      const pace = way > height && round % 2 === 1 ? -pixelsPerSecond : pixelsPerSecond;
      const plan = { box, from, pixelsPerSecond: pace, durationMs: TURN_MS };
      runs.get(name)?.push(await scrollPage(page, debug, plan));
    }
  const measured = subjects.map(({ name, role }) => toMeasured({ name, role }, runs.get(name) ?? []));
  const target = { text: 'above 50 frames a second, where an empty page has 60', of: PAGE, to: BLANK, atMost: 1.2 };
  return { title: `${text}: one frame`, measured, targets: [target], notes: describe(runs.get(PAGE) ?? []) };
}

function toMeasured(who: Pick<Measured, 'name' | 'role'>, runs: readonly Scrolled[]): Measured {
  const frames = runs.flatMap((run) => run.frames);
  const rounds = runs.map((run) => run.frames.reduce((sum, ms) => sum + ms, 0) / run.frames.length);
  return { ...who, median: median(frames), p90: quantile(frames, 0.9), samples: frames.length, rounds };
}

function describe(runs: readonly Scrolled[]): string[] {
  const frames = runs.flatMap((run) => run.frames);
  const longTasks = runs.flatMap((run) => run.longTasks);
  const total = frames.reduce((sum, ms) => sum + ms, 0);
  const work = (part: keyof Scrolled['workPerFrame']) => median(runs.map((run) => run.workPerFrame[part])).toFixed(2);
  const busy = runs.reduce((sum, run) => sum + run.workPerFrame.all * run.frames.length, 0) / total;
  return [
    `frames a second: ${((1000 * frames.length) / total).toFixed(1)} on the whole, ${(1000 / median(frames)).toFixed(1)} in the middle, ${(1000 / quantile(frames, 0.95)).toFixed(1)} in the worst 5 %`,
    `tasks of more than 50 ms: ${longTasks.length}${longTasks.length > 0 ? `, the longest ${Math.max(...longTasks).toFixed(0)} ms` : ''}`,
    `the page's thread needed ${(100 * busy).toFixed(0)} % of a processor`,
    `time of the processor for a frame in the page's thread: ${work('all')} ms (script ${work('script')}, style ${work('style')}, layout ${work('layout')})`,
  ];
}
