import { expect, test } from 'vitest';
import { type SessionRow, sessionColumns } from './session-columns.ts';

const row = (id: string, more: Partial<SessionRow> = {}): SessionRow => ({
  ...{ id, tenant: '', user: '', channel: 'cli', chatId: id, title: 'About Bob', updatedAt: 0, isRunning: false },
  ...more,
});
const one = '01a22dff-61ce-7001-8000-00000000000a';
const two = '01a22dff-61cf-7001-8000-00000000000b';
const linesOf = (rows: SessionRow[], width?: number) => sessionColumns(rows, width).trimEnd().split('\n');

test('a line of 80 columns has room for the title beside a session of the web and one of a named chat', () => {
  const title = 'What is in this directory?';
  const lines = linesOf(
    [row(one, { channel: 'web', title }), row(two, { chatId: 'a-chat-of-a-long-name', title })],
    80,
  );
  for (const line of lines) {
    expect(line).toContain(title);
    expect(line.length).toBeLessThanOrEqual(80);
  }
  expect(lines[0]).toMatch(/^01a22dff-61ce {2}\S+ \S+ {2}web {13} {2}What/);
  expect(lines[1]).toMatch(/^01a22dff-61cf {2}.* {2}cli:a-chat-of-a… {2}What/);
});

test('ids are as long as tells them apart, and whole where a line has no end', () => {
  const near = `${one.slice(0, 20)}f${one.slice(21)}`;
  expect(linesOf([row(one), row(near)], 80).map((line) => line.split('  ')[0])).toEqual([
    one.slice(0, 21),
    near.slice(0, 21),
  ]);
  expect(linesOf([row(one)], Number.POSITIVE_INFINITY)[0]).toMatch(new RegExp(`^${one}  `));
});
