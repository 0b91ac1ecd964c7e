import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Exchange } from './exchange.ts';
import { createProgressNotes } from './progress-notes.ts';
import { NO_CAPABILITIES } from './protocol-era.ts';

/** A client that is behind while it is told so. */
function createReader() {
  const sent: { progress: number; total?: number; message?: string }[] = [];
  const waiting: (() => void)[] = [];
  const reader = { isBehind: false };
  const exchange: Exchange = {
    era: 'session',
    session: { id: 's', tenant: '', channel: 'mcp', chatId: 's', user: '', roots: [] },
    capabilities: NO_CAPABILITIES,
    logLevel: undefined,
    abortSignal: new AbortController().signal,
    notify: (message) => void sent.push(JSON.parse(message).params),
    get isBehind() {
      return reader.isBehind;
    },
    onCaughtUp: (listener) => void waiting.push(listener),
    ask: () => Promise.reject(new Error('nobody')),
  };
  const catchUp = () => {
    reader.isBehind = false;
    for (const listener of waiting.splice(0)) listener();
  };
  return { sent, reader, exchange, catchUp };
}

const output = (text: string) => ({ type: 'tool-output-delta', toolCallId: '1', stream: 'stdout', text }) as const;
const progress = (value: number, total?: number) =>
  ({ type: 'tool-progress', toolCallId: '1', progress: value, ...(total !== undefined && { total }) }) as const;

describe('progress', () => {
  it('is what the tool reports, with output as messages between', () => {
    const { sent, exchange } = createReader();
    const notes = createProgressNotes(exchange, 'token');
    for (const event of [progress(0, 100), output('a'), progress(50, 100), progress(100, 100)]) notes.onEvent(event);
    expect(sent.map((one) => one.progress)).toEqual([0, 0.001, 50, 100]);
    expect(sent[1]).toMatchObject({ progressToken: 'token', message: 'a', total: 100 });
  });

  it('grows with every notification, whatever a tool reports', () => {
    const event = fc.oneof(
      fc.string().map(output),
      fc.double({ noNaN: true, min: -1e9, max: 1e15 }).map((value) => progress(value)),
    );
    fc.assert(
      fc.property(fc.array(event), (events) => {
        const { sent, exchange } = createReader();
        const notes = createProgressNotes(exchange, 1);
        for (const one of events) notes.onEvent(one);
        for (const [at, one] of sent.entries()) expect(one.progress).toBeGreaterThan(sent[at - 1]?.progress ?? -2);
      }),
    );
  });

  it('is merged for a client that is behind, and sent when it has caught up or the answer comes', () => {
    const { sent, reader, exchange, catchUp } = createReader();
    const notes = createProgressNotes(exchange, 1);
    reader.isBehind = true;
    for (let index = 0; index < 1000; index++) notes.onEvent(output(`${index} `));
    notes.onEvent(progress(5));
    expect(sent).toEqual([]);
    catchUp();
    expect(sent).toHaveLength(1);
    expect(sent[0]).toMatchObject({ progress: 5, message: expect.stringMatching(/ 998 999 $/) });
    reader.isBehind = true;
    notes.onEvent(output('last'));
    notes.end();
    expect(sent.at(-1)?.message).toBe('last');
  });

  it('keeps no more than it needs to of what a client does not read', () => {
    const { sent, reader, exchange, catchUp } = createReader();
    const notes = createProgressNotes(exchange, 1);
    reader.isBehind = true;
    for (let index = 0; index < 200; index++) notes.onEvent(output('😀'.repeat(500)));
    catchUp();
    expect(sent[0]?.message?.length).toBeLessThanOrEqual(64 * 1024);
    expect(sent[0]?.message?.isWellFormed()).toBe(true);
  });
});
