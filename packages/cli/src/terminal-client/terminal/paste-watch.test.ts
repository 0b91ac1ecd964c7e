import { afterEach, describe, expect, it, vi } from 'vitest';
import { createPasteWatch } from './paste-watch.ts';

const START = '\u001b[200~';
const END = '\u001b[201~';

afterEach(() => void vi.useRealTimers());

/** What was given on, after the pieces came and as much time has passed. */
function givenAfter(pieces: readonly string[], passedMs = 0): string {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'clearImmediate'] });
  let given = '';
  const watch = createPasteWatch((text) => {
    given += text;
  });
  for (const piece of pieces) watch.take(piece);
  vi.advanceTimersByTime(passedMs);
  watch.close();
  return given;
}

describe('a paste', () => {
  it('is ended when nothing has come of it for long, so that keys count again', () => {
    expect(givenAfter([START, 'half of it'], 10_000)).toBe(`${START}half of it${END}`);
  });

  it('is left alone as long as something comes', () => {
    expect(givenAfter([START, 'half of it'], 1000)).toBe(`${START}half of it`);
  });

  it('that has its end is given on as it is, in whatever pieces its marks come', () => {
    const whole = `a${START}b\r${END}c`;
    for (let at = 0; at < whole.length; at++)
      expect(givenAfter([whole.slice(0, at), whole.slice(at)], 10_000)).toBe(whole);
    expect(givenAfter([...whole], 10_000)).toBe(whole);
  });

  it('that is too long to be kept as one comes in parts, and none of it is a key', () => {
    const given = givenAfter([START, ...Array(10).fill('x'.repeat(1_000_000)), END, 'y']);
    const pasted = [...given.matchAll(/\u001b\[200~([^\u001b]*)\u001b\[201~/g)].map(([, text = '']) => text);
    expect(pasted.length).toBeGreaterThan(1);
    expect(pasted.join('')).toHaveLength(10_000_000);
    expect(given.endsWith(`${END}y`)).toBe(true);
  });
});
