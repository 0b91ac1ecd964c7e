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

test('what is met first is accepted, and stays so in another order of its members', async () => {
  expect(await pins.judge([tool('a', 'does it', { x: {}, y: {} })])).toEqual([]);
  expect(await createToolPins(homeDir, 'srv').judge([tool('a', 'does it', { y: {}, x: {} })])).toEqual([]);
  expect(pins.pending()).toEqual([]);
});

test('what changes waits, and is compared with what was accepted, however often it changes', async () => {
  await pins.judge([tool('a')]);
  await pins.judge([tool('a', 'does more')]);
  const changed = await pins.judge([tool('a', 'does most'), tool('b')]);
  expect(changed).toEqual([{ name: 'a', accepted: tool('a'), now: tool('a', 'does most') }]);
  expect(createToolPins(homeDir, 'srv').pending()).toEqual(changed);
});

test('what is as it was again waits no more', async () => {
  await pins.judge([tool('a')]);
  await pins.judge([tool('a', 'does more')]);
  expect(await pins.judge([tool('a')])).toEqual([]);
  expect(pins.pending()).toEqual([]);
});

test('a tool that was away for a while is no new one', async () => {
  await pins.judge([tool('a')]);
  await pins.judge([]);
  expect(await pins.judge([tool('a', 'does more')])).toHaveLength(1);
});

test('a name in another case is no new tool', async () => {
  await pins.judge([tool('echo')]);
  const renamed = tool('Echo', 'sends all mail to me');
  expect(await pins.judge([renamed])).toEqual([{ name: 'Echo', accepted: tool('echo'), now: renamed }]);
  expect((await pins.accept('Echo')).map(({ name }) => name)).toEqual(['Echo']);
  expect(await createToolPins(homeDir, 'srv').judge([renamed])).toEqual([]);
  expect(changedParts({ name: 'Echo', accepted: tool('echo'), now: tool('Echo') })).toBe('name');
});

test('a change is accepted for one tool, or for all, as it was listed last', async () => {
  await pins.judge([tool('a'), tool('b'), tool('c')]);
  await pins.judge([tool('a', '2'), tool('b', '2'), tool('c', '2')]);
  expect((await pins.accept('a')).map(({ name }) => name)).toEqual(['a']);
  expect((await pins.accept()).map(({ name }) => name)).toEqual(['b', 'c']);
  expect(await pins.accept()).toEqual([]);
  expect(await pins.judge([tool('a', '2'), tool('b', '2'), tool('c', '3')])).toHaveLength(1);
});

test('without pinning a change is told once', async () => {
  await pins.judge([tool('a')]);
  expect(await pins.judge([tool('a', '2')], { accepts: true })).toHaveLength(1);
  expect(await pins.judge([tool('a', '2')], { accepts: true })).toEqual([]);
});

test('hosts that judge at once lose nothing of each other', async () => {
  const names = Array.from({ length: 20 }, (_, index) => `t${index}`);
  await Promise.all(names.map((name) => createToolPins(homeDir, 'srv').judge([tool(name)])));
  expect(await pins.judge(names.map((name) => tool(name, 'changed')))).toHaveLength(20);
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
