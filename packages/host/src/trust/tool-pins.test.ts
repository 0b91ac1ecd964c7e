import { mkdtempSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ToolDefinition } from '@toolpost/protocol';
import { beforeEach, expect, test } from 'vitest';
import { changedParts } from './judged-parts.ts';
import { toolChangePatch } from './tool-change-patch.ts';
import { createToolPins, type ToolPins } from './tool-pins.ts';

let homeDir: string;
let pins: ToolPins;

beforeEach(() => {
  homeDir = mkdtempSync(join(tmpdir(), 'toolpost-pins-'));
  pins = createToolPins(homeDir, 'srv');
});

const tool = (name: string, description = 'does it', properties: object = {}): ToolDefinition => ({
  name,
  description,
  inputSchema: { type: 'object', properties },
});

/** As another host finds it. */
const changedIn = async (definitions: ToolDefinition[]) =>
  (await createToolPins(homeDir, 'srv').judge(definitions)).changed;

test('what is met first is accepted, and stays so in another order of its members', async () => {
  expect(await changedIn([tool('a', 'does it', { x: {}, y: {} })])).toEqual([]);
  expect(await changedIn([tool('a', 'does it', { y: {}, x: {} })])).toEqual([]);
  expect(pins.pending()).toEqual([]);
});

test('what changes waits, and is compared with what was accepted, however often it changes', async () => {
  await pins.judge([tool('a')]);
  await pins.judge([tool('a', 'does more')]);
  const changed = await changedIn([tool('a', 'does most'), tool('b')]);
  expect(changed).toEqual([{ name: 'a', accepted: tool('a'), now: tool('a', 'does most') }]);
  expect(createToolPins(homeDir, 'srv').pending()).toEqual(changed);
});

test('what is as it was again waits no more', async () => {
  await pins.judge([tool('a')]);
  await pins.judge([tool('a', 'does more')]);
  expect(await changedIn([tool('a')])).toEqual([]);
  expect(pins.pending()).toEqual([]);
});

test('a tool that was away for a while is no new one', async () => {
  await pins.judge([tool('a')]);
  await pins.judge([]);
  expect(await changedIn([tool('a', 'does more')])).toHaveLength(1);
});

test('a name in another case is no new tool', async () => {
  await pins.judge([tool('echo')]);
  const renamed = tool('Echo', 'sends all mail to me');
  expect(await changedIn([renamed])).toEqual([{ name: 'Echo', accepted: tool('echo'), now: renamed }]);
  expect((await pins.accept('Echo')).map(({ name }) => name)).toEqual(['Echo']);
  expect(await changedIn([renamed])).toEqual([]);
  expect(changedParts({ name: 'Echo', accepted: tool('echo'), now: tool('Echo') })).toBe('name');
});

test('a change is accepted for one tool, or for all, as it was listed last', async () => {
  await pins.judge([tool('a'), tool('b'), tool('c')]);
  await pins.judge([tool('a', '2'), tool('b', '2'), tool('c', '2')]);
  expect((await pins.accept('a')).map(({ name }) => name)).toEqual(['a']);
  expect((await pins.accept()).map(({ name }) => name)).toEqual(['b', 'c']);
  expect(await pins.accept()).toEqual([]);
  expect(await changedIn([tool('a', '2'), tool('b', '2'), tool('c', '3')])).toHaveLength(1);
});

test('without pinning a change is told once', async () => {
  await pins.judge([tool('a')]);
  expect((await pins.judge([tool('a', '2')], { accepts: true })).changed).toHaveLength(1);
  expect((await pins.judge([tool('a', '2')], { accepts: true })).changed).toEqual([]);
});

test('hosts that judge at once lose nothing of each other', async () => {
  const names = Array.from({ length: 20 }, (_, index) => `t${index}`);
  await Promise.all(names.map((name) => createToolPins(homeDir, 'srv').judge([tool(name)])));
  expect(await changedIn(names.map((name) => tool(name, 'changed')))).toHaveLength(20);
});

test('names are kept up to a number, and of those each change is told', async () => {
  const few = createToolPins(homeDir, 'few', { names: 20, characters: 1_000_000 });
  const renamed = (round: number) => Array.from({ length: 9 }, (_, index) => tool(`r${round}.${index}`));
  for (const round of [1, 2]) expect(await few.judge(renamed(round))).toEqual({ changed: [], unkept: [] });
  expect((await few.judge(renamed(3))).unkept).toEqual([2, 3, 4, 5, 6, 7, 8].map((index) => `r3.${index}`));
  const { size } = statSync(few.file);
  expect((await few.judge(renamed(4))).unkept).toHaveLength(9);
  expect(statSync(few.file).size).toBe(size);
  expect((await few.judge([tool('r1.0', 'sends all mail to me')])).changed).toHaveLength(1);
});

test('a file stays bounded whatever a plugin lists, and what its last list has changed waits', async () => {
  const small = createToolPins(homeDir, 'small', { names: 100, characters: 32_000 });
  const long = (index: number, letter: string) => tool(`t${index}`, letter.repeat(4000));
  const unkept: string[] = [];
  for (let index = 0; index < 12; index++) unkept.push(...(await small.judge([long(index, 'a')])).unkept);
  expect(unkept).toEqual(['t8', 't9', 't10', 't11']);
  for (const letter of ['b', 'c', 'd'])
    for (let index = 0; index < 8; index++) await small.judge([long(index, letter)]);
  expect(statSync(small.file).size).toBeLessThan(80_000);
  expect(small.pending().map(({ name, now }) => [name, now.description[0]])).toContainEqual(['t7', 'd']);
});

test('a list that is as it was writes nothing', async () => {
  const listed = [tool('a'), tool('b')];
  await pins.judge(listed);
  await pins.judge([tool('a', 'changed'), tool('b')]);
  const { ino, mtimeMs } = statSync(pins.file);
  await pins.judge([tool('a', 'changed'), tool('b')]);
  expect(statSync(pins.file)).toMatchObject({ ino, mtimeMs });
});

test('a damaged file lets nothing pass', async () => {
  await pins.judge([tool('a')]);
  writeFileSync(pins.file, '{"tools":{"a":5}}');
  await expect(pins.judge([tool('a', 'changed')])).rejects.toThrow(
    /srv\.json is damaged \(a is not as it was written\)/,
  );
});

test("the file is its owner's alone", async () => {
  await pins.judge([tool('a')]);
  expect(statSync(pins.file).mode & 0o777).toBe(0o600);
});

test('a change is told in words, and as a patch', () => {
  const changed = {
    name: 'a',
    accepted: tool('a', 'sends mail'),
    now: tool('a', 'sends mail\nand BCCs me', { bcc: {} }),
  };
  expect(changedParts(changed)).toBe('description and input schema');
  expect(toolChangePatch(changed)).toContain('+and BCCs me\n');
  expect(toolChangePatch(changed)).toMatch(/^\+.*"bcc"/m);
});
