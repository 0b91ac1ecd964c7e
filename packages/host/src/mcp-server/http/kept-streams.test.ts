import { beforeEach, expect, it } from 'vitest';
import type { HttpReply } from './http-exchange.ts';
import { createKeptStreams, type KeptStreams } from './kept-streams.ts';

/** One connection: what was written to it, and whether it has ended. */
interface Connection {
  readonly reply: HttpReply;
  text: string;
  isEnded: boolean;
  cut(): void;
}

function connection(): Connection {
  const gone: (() => void)[] = [];
  const made: Connection = {
    text: '',
    isEnded: false,
    cut() {
      for (const listener of gone.splice(0)) listener();
    },
    reply: {
      send: () => {
        throw new Error('it is a stream');
      },
      openStream: () => ({
        write: (part) => {
          made.text += String(part);
        },
        end: () => {
          made.isEnded = true;
        },
        isBehind: false,
        onCaughtUp: (listener) => listener(),
      }),
      onGone: (listener) => void gone.push(listener),
    },
  };
  return made;
}

const OPTIONS = { headers: {}, isPrimed: false };
const messagesIn = ({ text }: Connection) => [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => data);

let streams: KeptStreams;
beforeEach(() => {
  streams = createKeptStreams();
});

it('gives the rest of a stream to who comes back, once, and ends with it', () => {
  const [first, second, third] = [connection(), connection(), connection()];
  const stream = streams.open(first.reply, OPTIONS);
  stream.send(['one']);
  first.cut();
  stream.send(['two']);
  expect(streams.resume('1-1', second.reply)).toBe(true);
  stream.send(['th', Buffer.from('ree')]);
  expect([first, second].map(messagesIn)).toEqual([['one'], ['two', 'three']]);
  stream.end();
  expect(second.isEnded).toBe(true);
  expect(streams.resume('1-2', third.reply)).toBe(true);
  expect([messagesIn(third), third.isEnded]).toEqual([['three'], true]);
});

it('sends each event to the latest of two connections', () => {
  const [first, second] = [connection(), connection()];
  const stream = streams.open(first.reply, OPTIONS);
  streams.resume('1-0', second.reply);
  expect(first.isEnded).toBe(true);
  first.cut();
  stream.send(['one']);
  expect([first, second].map(messagesIn)).toEqual([[], ['one']]);
});

it('takes who is not there for far behind, and tells when it is back', () => {
  const [first, second] = [connection(), connection()];
  const stream = streams.open(first.reply, OPTIONS);
  first.cut();
  let isBack = false;
  stream.onCaughtUp(() => {
    isBack = true;
  });
  expect([stream.isBehind, isBack]).toEqual([true, false]);
  streams.resume('1-0', second.reply);
  expect([stream.isBehind, isBack]).toEqual([false, true]);
});

it('keeps the last mebibyte of a stream that nobody reads, and its result', () => {
  const [first, second] = [connection(), connection()];
  const stream = streams.open(first.reply, OPTIONS);
  first.cut();
  for (let round = 0; round < 40; round++) stream.send([`${round}`.padEnd(100_000, '.')]);
  stream.send(['the result']);
  streams.resume('1-0', second.reply);
  expect(second.text.length).toBeLessThan(1_100_000);
  expect(messagesIn(second).at(-1)).toBe('the result');
});

it('knows the latest streams alone, and nothing of ids that are not its own', () => {
  const opened = Array.from({ length: 40 }, () => streams.open(connection().reply, OPTIONS));
  expect(opened).toHaveLength(40);
  for (const id of ['', '1-0', '41-0', '-1', '40', '40-x', '9'.repeat(40), `40-${'9'.repeat(20)}`])
    expect(streams.resume(id, connection().reply), id).toBe(false);
  expect(streams.resume('40-0', connection().reply)).toBe(true);
});
