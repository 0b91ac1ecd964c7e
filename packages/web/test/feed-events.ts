import type { EventBody } from '@toolpost/protocol';
import type { Page } from 'playwright-core';

export interface EventFeed {
  /** More of them, which the page gets when it asks again. */
  add(...bodies: readonly EventBody[]): void;
}

/** Loads the page of a session again, to which its server tells these events: as one of another version might, too. */
export async function feedEvents(page: Page, sessionId: string, bodies: readonly EventBody[]): Promise<EventFeed> {
  const all = [...bodies];
  await page.route('**/events*', (route) =>
    route.fulfill({
      contentType: 'text/event-stream',
      body: all
        .map((body, index) => ({ ...body, sessionId, seq: index + 1, at: 1 }))
        .map((event) => `id: e:${event.seq}\ndata: ${JSON.stringify(event)}\n\n`)
        .join(''),
    }),
  );
  await page.reload();
  return { add: (...more) => void all.push(...more) };
}
