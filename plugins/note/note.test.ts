import { mkdtempSync, readFileSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { callTool, createTestContext } from '@toolpost/sdk/testing';
import { expect, it } from 'vitest';
import { note } from './index.ts';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'toolpost-note-')));
const context = createTestContext({ roots: [root] });

it('has a schema with its required parameters', () => {
  expect(note.name).toBe('Note');
  expect(JSON.stringify(note.inputSchema)).toContain('"required":["text","file"]');
});

it('appends a line to the file, by relative and absolute path', async () => {
  const file = join(root, 'notes.txt');
  expect((await callTool(note, { text: 'one', file: 'notes.txt' }, { context })).content).toEqual([
    { type: 'text', text: 'Appended to notes.txt' },
  ]);
  await callTool(note, { text: 'two', file }, { context });
  expect(readFileSync(file, 'utf8')).toBe('one\ntwo\n');
});

it('names the directories that it may write to when the file is elsewhere', async () => {
  const result = await callTool(note, { text: 'x', file: '../outside.txt' }, { context });
  expect(result).toMatchObject({ isError: true });
  expect(JSON.stringify(result.content)).toContain(`outside the directories that the session grants: ${root}`);
});
