import type { EventBody } from '@toolpost/protocol';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createProgressRelay } from './progress-relay.ts';
import { createRedactor } from './redactor.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function relayed() {
  const events: EventBody[] = [];
  const parts = {
    toolCallId: 'c',
    redact: createRedactor(['hunter22']),
    onEvent: (event: EventBody) => events.push(event),
  };
  return { events, relay: createProgressRelay(parts) };
}

describe('the progress of a call', () => {
  it('comes as it is told while that is seldom', () => {
    const { events, relay } = relayed();
    for (let progress = 1; progress <= 3; progress++) relay.tell({ progress, total: 3, message: `step ${progress}` });
    expect(events).toEqual(
      [1, 2, 3].map((progress) => ({
        ...{ type: 'tool-progress', toolCallId: 'c', progress, total: 3, message: `step ${progress}` },
      })),
    );
  });

  it('of a tool that reports in a loop is ten events a second, the last one always among them', () => {
    const { events, relay } = relayed();
    for (let progress = 1; progress <= 100_000; progress++) relay.tell({ progress });
    expect(events).toHaveLength(100);
    vi.advanceTimersByTime(1000);
    expect(events.at(-1)).toMatchObject({ progress: 100_000 });
    for (let ms = 0; ms < 1000; ms++) {
      relay.tell({ progress: 200_000 + ms });
      vi.advanceTimersByTime(1);
    }
    expect(events.length).toBeLessThanOrEqual(112);
    relay.end();
    expect(events.at(-1)).toMatchObject({ progress: 200_999 });
  });

  it('says nothing more once the call has ended', () => {
    const { events, relay } = relayed();
    for (let progress = 1; progress <= 200; progress++) relay.tell({ progress });
    relay.end();
    const { length } = events;
    vi.advanceTimersByTime(10_000);
    expect(events).toHaveLength(length);
  });

  it('carries a message of bounded length, without secrets and without half a character', () => {
    const { events, relay } = relayed();
    relay.tell({ progress: 1, message: `${'x'.repeat(1999)}😀${'y'.repeat(1_000_000)}` });
    relay.tell({ progress: 2, message: 'the key is hunter22' });
    expect(events).toMatchObject([{ message: `${'x'.repeat(1999)}…` }, { message: 'the key is [redacted]' }]);
  });
});
