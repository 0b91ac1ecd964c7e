import { Worker } from 'node:worker_threads';
import { describe, expect, test } from 'vitest';
import { refusalOf } from '../fixtures/guest-files.ts';
import { createQuietScope } from '../fixtures/preopens.ts';
import { type InputSource, InputStream } from './input-stream.ts';
import { IoError } from './io-error.ts';
import { createIoScope } from './io-scope.ts';
import { type OutputSink, OutputStream } from './output-stream.ts';
import { Pollable, poll } from './pollable.ts';

const CLOSED = { tag: 'closed' };

/** Whether the next one is something; the look after a `nothing` finds what comes after it. */
function isThere<T>(left: T[], nothing: T): boolean {
  if (left[0] !== nothing) return true;
  left.shift();
  return false;
}

/** A source that gives `parts` one after the other; an empty one means that nothing is there at that moment. */
function sourceOf(...parts: readonly (string | IoError)[]): InputSource {
  const left = [...parts];
  return {
    isReady: () => isThere(left, ''),
    msUntilReady: () => 1,
    read(maxBytes) {
      const part = left.shift();
      if (part instanceof IoError) throw part;
      if (part !== undefined && part.length > maxBytes) left.unshift(part.slice(maxBytes));
      return part === undefined ? undefined : Buffer.from(part.slice(0, maxBytes));
    },
  };
}

/** A sink that permits what `permits` says, one after the other, the last for ever. */
function sinkOf(...permits: readonly (number | undefined)[]): OutputSink & { readonly taken: string[] } {
  const left = [...permits];
  const taken: string[] = [];
  const next = () => (left.length > 1 ? left.shift() : left[0]);
  return {
    taken,
    isReady: () => isThere(left, 0),
    msUntilReady: () => 1,
    permit: next,
    write: (bytes) => void taken.push(Buffer.from(bytes).toString()),
    flush: () => void taken.push('|'),
  };
}

const inputOf = (...parts: readonly (string | IoError)[]) => new InputStream(createQuietScope(), sourceOf(...parts));
const outputOf = (sink: OutputSink) => new OutputStream(createQuietScope(), sink);
const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString();

describe('an input stream', () => {
  test('gives what is there, nothing when there is nothing, and is closed at its end', () => {
    const input = inputOf('one', '', 'two');
    expect(textOf(input.read(2n))).toBe('on');
    expect(textOf(input.read(2n ** 64n - 1n))).toBe('e');
    expect(textOf(input.read(10n))).toBe('');
    expect(textOf(input.read(0n))).toBe('');
    expect(textOf(input.read(10n))).toBe('two');
    expect(refusalOf(() => input.read(10n))).toEqual(CLOSED);
    expect(refusalOf(() => input.read(0n))).toEqual(CLOSED);
  });

  test('waits for the first byte when it may block', () => {
    const input = inputOf('', 'one', '', 'two');
    expect(textOf(input.blockingRead(10n))).toBe('one');
    expect(input.blockingSkip(2n)).toBe(2n);
    expect(textOf(input.blockingRead(10n))).toBe('o');
    expect(refusalOf(() => input.blockingRead(10n))).toEqual(CLOSED);
  });

  test('says once what failed, and is closed then', () => {
    const failure = new IoError('the wire was cut');
    const input = inputOf(failure, 'never');
    expect(refusalOf(() => input.blockingRead(1n))).toEqual({ tag: 'last-operation-failed', val: failure });
    expect(failure.toDebugString()).toBe('the wire was cut');
    expect(refusalOf(() => input.read(1n))).toEqual(CLOSED);
    expect(input.subscribe().ready()).toBe(true);
  });

  test('traps on a mistake of its source, which is no error of the stream', () => {
    const broken: InputSource = {
      isReady: () => true,
      read: () => {
        throw new TypeError('a bug');
      },
    };
    expect(() => new InputStream(createQuietScope(), broken).read(1n)).toThrow(TypeError);
  });
});

describe('an output stream', () => {
  test('takes as much as was permitted, and traps on more', () => {
    const sink = sinkOf(4, 0);
    const output = outputOf(sink);
    expect(() => output.write(Buffer.from('x'))).toThrow('check-write permitted 0');
    expect(output.checkWrite()).toBe(4n);
    output.write(Buffer.from('abc'));
    expect(() => output.write(Buffer.from('de'))).toThrow('check-write permitted 1');
    output.writeZeroes(1n);
    expect(sink.taken).toEqual(['abc', '\0']);
  });

  test('waits for room and flushes when it may block', () => {
    const sink = sinkOf(2, 0, 3, 0, 8);
    outputOf(sink).blockingWriteAndFlush(Buffer.from('abcdefg'));
    expect(sink.taken).toEqual(['ab', 'cde', 'fg', '|']);
  });

  test('traps on more than 4,096 bytes at once', () => {
    const output = outputOf(sinkOf(10_000));
    expect(() => output.blockingWriteAndFlush(new Uint8Array(4097))).toThrow('at most 4096 bytes');
    expect(() => output.blockingWriteZeroesAndFlush(2n ** 60n)).toThrow('at most 4096 bytes');
    output.blockingWriteZeroesAndFlush(4096n);
  });

  test('is closed when its sink is', () => {
    const output = outputOf(sinkOf(2, undefined));
    expect(output.checkWrite()).toBe(2n);
    expect(refusalOf(() => output.checkWrite())).toEqual(CLOSED);
    for (const action of [() => output.write(Buffer.from('a')), () => output.flush(), () => output.blockingFlush()])
      expect(refusalOf(action)).toEqual(CLOSED);
  });

  test('says once what failed, and is closed then', () => {
    const failure = new IoError('no space');
    const sink: OutputSink = {
      isReady: () => true,
      permit: () => 10,
      write: () => {
        throw failure;
      },
    };
    const output = outputOf(sink);
    const refusal = refusalOf(() => output.blockingWriteAndFlush(Buffer.from('a')));
    expect(refusal).toEqual({ tag: 'last-operation-failed', val: failure });
    expect(refusalOf(() => output.checkWrite())).toEqual(CLOSED);
  });

  test('splices no more than it may write, nor than was asked for', () => {
    const sink = sinkOf(3, 100);
    const output = outputOf(sink);
    const input = inputOf('abcdef');
    expect(output.splice(input, 100n)).toBe(3n);
    expect(output.blockingSplice(input, 2n)).toBe(2n);
    expect(output.blockingSplice(input, 100n)).toBe(1n);
    expect(refusalOf(() => output.splice(input, 1n))).toEqual(CLOSED);
    expect(sink.taken).toEqual(['abc', 'de', 'f']);
  });
});

describe('waiting', () => {
  test('blocks the thread until another one raises the signal', async () => {
    const shared = new SharedArrayBuffer(8);
    const arrived = new Int32Array(shared);
    const worker = new Worker(new URL('../fixtures/raiser.ts', import.meta.url), {
      workerData: { shared, value: 7, afterMs: 20 },
    });
    const input = new InputStream(createIoScope(shared), {
      isReady: () => arrived[1] !== 0,
      read: () => Uint8Array.of(Atomics.load(arrived, 1)),
    });
    expect(input.blockingRead(1n)).toEqual(Uint8Array.of(7));
    await worker.terminate();
  });

  test('poll gives all that are ready, and an empty list is a trap', () => {
    const scope = createQuietScope();
    const [ready, later] = [true, false].map((isReady) => new Pollable(scope, { isReady: () => isReady }));
    if (!ready || !later) throw new Error('two were made');
    expect(poll([later, ready, later, ready])).toEqual(Uint32Array.of(1, 3));
    ready.block();
    expect(() => poll([])).toThrow('empty list');
  });

  test('a guest may hold 4,096 streams and pollables, and make the next when it drops one', () => {
    const scope = createQuietScope();
    const input = new InputStream(scope, sourceOf('x'));
    const held = Array.from({ length: 4095 }, () => input.subscribe());
    expect(() => input.subscribe()).toThrow('must drop them');
    held[0]?.[Symbol.dispose]();
    held[0]?.[Symbol.dispose]();
    input.subscribe();
    expect(() => input.subscribe()).toThrow('must drop them');
  });
});
