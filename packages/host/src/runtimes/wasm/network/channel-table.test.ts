import { expect, test } from 'vitest';
import { type ChannelFlags, createChannelTable } from './channel-table.ts';
import { READABLE, SETTLED } from './net-messages.ts';

function openTable(size: number) {
  const destroyed: string[] = [];
  const flags = new Map<string, ChannelFlags>();
  const table = createChannelTable<{ name: string; destroy(): void }>(size);
  const add = (name: string) =>
    table.add((own) => {
      flags.set(name, own);
      return { name, destroy: () => void destroyed.push(name) };
    });
  return { table, add, destroyed, flags, seen: new Int32Array(table.flags) };
}

test('what a closed channel still raises does not reach the one that has its number', () => {
  const { table, add, flags, seen } = openTable(1);
  const number = add('first') ?? -1;
  flags.get('first')?.raise(SETTLED);
  table.close(number);
  expect(add('second')).toBe(number);
  flags.get('first')?.raise(READABLE);
  expect(seen[number]).toBe(0);
  flags.get('second')?.raise(READABLE);
  flags.get('first')?.clear(READABLE);
  expect(seen[number]).toBe(READABLE);
});

test('a change wakes the worker; the same again does not', () => {
  const { table, add, flags } = openTable(1);
  const wake = new SharedArrayBuffer(4);
  const count = () => Atomics.load(new Int32Array(wake), 0);
  table.wakeBy(wake);
  add('one');
  flags.get('one')?.raise(SETTLED);
  flags.get('one')?.raise(SETTLED);
  expect(count()).toBe(1);
  flags.get('one')?.raise(SETTLED | READABLE);
  expect(count()).toBe(2);
});

test('no more channels are open than may be, and closing all ends each once', () => {
  const { table, add, destroyed } = openTable(2);
  expect(['a', 'b', 'c'].map(add)).toEqual([0, 1, undefined]);
  table.close(0);
  table.close(0);
  table.close(7);
  table.closeAll();
  table.closeAll();
  expect(destroyed).toEqual(['a', 'b']);
  expect(table.get(1)).toBeUndefined();
});
