import type { CDPSession, Page } from 'playwright-core';

/** How a page moved while it was scrolled. Times in ms. */
export interface Scrolled {
  /** From each frame to the next one. */
  readonly frames: readonly number[];
  /** Work of the page's own thread that held up everything else for more than 50 ms. */
  readonly longTasks: readonly number[];
  /** Time of the processor that its thread took for each frame: all of it, and the parts of it. */
  readonly workPerFrame: Readonly<Record<'all' | 'script' | 'style' | 'layout', number>>;
}

interface Plan {
  /** What scrolls, as a selector. */
  readonly box: string;
  readonly from: number;
  readonly pixelsPerSecond: number;
  readonly durationMs: number;
}

/** Scrolls by a step in each frame, as far as the time that went by asks for: what a finger or a wheel does. */
export async function scrollPage(page: Page, debug: CDPSession, plan: Plan): Promise<Scrolled> {
  const before = await readWork(debug);
  const seen = await page.evaluate<Pick<Scrolled, 'frames' | 'longTasks'>>(`(${SCROLL})(${JSON.stringify(plan)})`);
  const after = await readWork(debug);
  const perFrame = (name: keyof typeof before) => ((after[name] - before[name]) * 1000) / seen.frames.length;
  return {
    ...seen,
    workPerFrame: {
      ...{ all: perFrame('TaskDuration'), script: perFrame('ScriptDuration') },
      ...{ style: perFrame('RecalcStyleDuration'), layout: perFrame('LayoutDuration') },
    },
  };
}

/** Runs in the page, which has the types of a browser. */
const SCROLL = `async ({ box: selector, from, pixelsPerSecond, durationMs }) => {
  const box = document.querySelector(selector);
  const [frames, longTasks] = [[], []];
  const observer = new PerformanceObserver((list) => longTasks.push(...list.getEntries().map((one) => one.duration)));
  observer.observe({ type: 'longtask' });
  box.scrollTo({ top: from });
  await new Promise(requestAnimationFrame);
  const startedAt = await new Promise(requestAnimationFrame);
  for (let last = startedAt; last - startedAt < durationMs; ) {
    const now = await new Promise(requestAnimationFrame);
    frames.push(now - last);
    last = now;
    box.scrollTop = from + ((now - startedAt) / 1000) * pixelsPerSecond;
  }
  observer.disconnect();
  return { frames, longTasks };
}`;

const WORK = ['TaskDuration', 'ScriptDuration', 'RecalcStyleDuration', 'LayoutDuration'] as const;

/** Seconds of the processor since the page was opened: other processes on the machine do not count. */
async function readWork(debug: CDPSession): Promise<Record<(typeof WORK)[number], number>> {
  const { metrics } = await debug.send('Performance.getMetrics');
  const of = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? Number.NaN;
  return {
    ...{ TaskDuration: of('TaskDuration'), ScriptDuration: of('ScriptDuration') },
    ...{ RecalcStyleDuration: of('RecalcStyleDuration'), LayoutDuration: of('LayoutDuration') },
  };
}
