import type { EventBody } from '@toolpost/protocol';
import type { Page } from 'playwright-core';

/** Loads the page of a session again, to which its server tells these events: as one of another version might, too. */
export async function feedEvents(page: Page, sessionId: string, bodies: readonly EventBody[]): Promise<void> {
  const events = bodies.map((body, index) => ({ ...body, sessionId, seq: index + 1, at: 1 }));
  await page.route('**/events*', (route) =>
    route.fulfill({
      contentType: 'text/event-stream',
      body: events.map((event) => `id: e:${event.seq}\ndata: ${JSON.stringify(event)}\n\n`).join(''),
    }),
  );
  await page.reload();
}
