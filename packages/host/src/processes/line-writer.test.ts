import { PassThrough, Writable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createLineWriter } from './line-writer.ts';

const never = (): never => {
  throw new Error('it is not stuck');
};

/** A stream that keeps each write and is full until it is told to go on. */
function slowStream(): { stream: Writable; writes: string[]; goOn(): void } {
  const writes: string[] = [];
  let goOn: () => void = () => {};
  const stream = new Writable({
    highWaterMark: 1,
    decodeStrings: false,
    write(chunk, _encoding, callback) {
      writes.push(String(chunk));
      goOn = callback;
    },
  });
  return { stream, writes, goOn: () => goOn() };
}

it('sends all lines of one tick in one write', async () => {
  const { stream, writes } = slowStream();
  const writer = createLineWriter(stream, never);
  writer.write({ a: 1 });
  writer.write({ b: 'two\nlines' });
  await setImmediate();
  expect(writes).toEqual(['{"a":1}\n{"b":"two\\nlines"}\n']);
});

it('keeps the order while the stream is full, and ends behind the last line', async () => {
  const { stream, writes, goOn } = slowStream();
  const writer = createLineWriter(stream, never);
  const finished = new Promise((resolve) => stream.once('finish', resolve));
  for (let number = 1; number <= 3; number++) {
    writer.write(number);
    await setImmediate();
  }
  writer.end();
  writer.write('too late');
  expect(writes).toEqual(['1\n']);
  goOn();
  await setImmediate();
  expect(writes).toEqual(['1\n', '2\n3\n']);
  goOn();
  await finished;
});

it('escapes what some readers take for the end of a line', async () => {
  const stream = new PassThrough();
  createLineWriter(stream, never).write({ text: '\u2028 \u2029 \u0085 😀' });
  await setImmediate();
  const line = String(stream.read());
  expect(line).toBe('{"text":"\\u2028 \\u2029 \\u0085 😀"}\n');
  expect(JSON.parse(line)).toEqual({ text: '\u2028 \u2029 \u0085 😀' });
});

it('reports once a reader that reads nothing, and keeps no more', async () => {
  const { stream } = slowStream();
  let reports = 0;
  const writer = createLineWriter(stream, () => void reports++);
  const large = 'x'.repeat(64 * 1024 * 1024);
  writer.write('first');
  await setImmediate();
  for (let count = 0; count < 8; count++) writer.write(large);
  expect(reports).toBe(1);
});

it('writes a message that is alone at once, behind what waits', () => {
  const { stream, writes } = slowStream();
  const writer = createLineWriter(stream, never);
  writer.write(1);
  writer.writeJson('2', true);
  writer.writeJson('3', true);
  expect(writes).toEqual(['1\n2\n']);
});
