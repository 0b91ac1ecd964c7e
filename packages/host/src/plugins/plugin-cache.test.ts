import { mkdirSync, mkdtempSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NO_CONTENT, parseManifest } from '@toolpost/protocol';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { DiscoveredPlugin } from '../runtimes/runtime.ts';
import { createPluginCache, type PluginAnswer } from './plugin-cache.ts';

let dir: string;
let cacheDir: string;
let greeter: DiscoveredPlugin;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'toolpost-cache-'));
  cacheDir = join(dir, 'cache');
  greeter = plugin('greeter');
});

afterEach(() => {
  vi.useRealTimers();
});

function plugin(id: string): DiscoveredPlugin {
  const folder = join(dir, id);
  mkdirSync(folder);
  writeFileSync(join(folder, 'main.py'), 'x');
  const { manifest } = parseManifest({ id, version: '1.0.0', permissions: ['*'] });
  return { id, dir: folder, manifest, origin: 'home' };
}

const answer = (...names: string[]): PluginAnswer => ({
  tools: names.map((name) => ({ name, description: 'd', inputSchema: { type: 'object', properties: {} } })),
  hooks: [{ event: 'PreToolUse', matcher: 'g*' }],
  enrichers: [{ name: 'clock', priority: 10 }],
  content: NO_CONTENT,
  subscriptions: ['news/*'],
});

test('an answer is kept for the next host', () => {
  createPluginCache(cacheDir, '1').set(greeter, answer('greet'));
  expect(createPluginCache(cacheDir, '1').get(greeter)).toEqual(answer('greet'));
});

test('an answer counts no more once a file of the plugin, or the host, has changed', () => {
  const cache = createPluginCache(cacheDir, '1');
  cache.set(greeter, answer('greet'));
  expect(createPluginCache(cacheDir, '2').get(greeter)).toBeUndefined();
  writeFileSync(join(greeter.dir, 'main.py'), 'y');
  expect(cache.get(greeter)).toBeUndefined();
});

test('a file that changes while the plugin starts does not get the answer of the old one', () => {
  const cache = createPluginCache(cacheDir, '1');
  expect(cache.get(greeter)).toBeUndefined();
  writeFileSync(join(greeter.dir, 'main.py'), 'changed during the start');
  cache.set(greeter, answer('greet'));
  expect(cache.get(greeter)).toBeUndefined();
  cache.set(greeter, answer('greet_again'));
  expect(cache.get(greeter)?.tools[0]?.name).toBe('greet_again');
});

test('a settled file that changes while the plugin starts does not get the answer of the old one', () => {
  const cache = createPluginCache(cacheDir, '1');
  // In the past, where `stat` alone vouches for the content.
  vi.setSystemTime(Date.now() + 60_000);
  expect(cache.get(greeter)).toBeUndefined();
  writeFileSync(join(greeter.dir, 'main.py'), 'changed during the start');
  cache.set(greeter, answer('greet'));
  expect(cache.get(greeter)).toBeUndefined();
  expect(cache.lastKnown('greeter')).toEqual(['greet']);
  cache.set(greeter, answer('greet_again'));
  expect(createPluginCache(cacheDir, '1').get(greeter)).toEqual(answer('greet_again'));
});

test('a new answer takes the place of the old one', () => {
  const cache = createPluginCache(cacheDir, '1');
  for (let version = 0; version < 5; version++) {
    writeFileSync(join(greeter.dir, 'main.py'), String(version));
    cache.set(greeter, answer(`greet_${version}`));
  }
  expect(cache.get(greeter)?.tools.map(({ name }) => name)).toEqual(['greet_4']);
  expect(readdirSync(join(cacheDir, 'plugins'))).toEqual(['greeter.json']);
});

test('the tools that a plugin had are known after it has changed', () => {
  const cache = createPluginCache(cacheDir, '1');
  cache.set(greeter, answer('greet', 'wave'));
  writeFileSync(join(greeter.dir, 'main.py'), 'broken');
  expect(cache.lastKnown('greeter')).toEqual(['greet', 'wave']);
  expect(cache.lastKnown('nobody')).toEqual([]);
});

test.each([
  '',
  '{',
  '[]',
  '{"key":1}',
  '{"key":"k","tools":[{}],"hooks":[]}',
  '{"key":"k","tools":[],"hooks":[5]}',
  'null',
])('a damaged entry counts as none: %s', (content) => {
  const cache = createPluginCache(cacheDir, '1');
  cache.set(greeter, answer('greet'));
  writeFileSync(join(cacheDir, 'plugins', 'greeter.json'), content);
  expect(cache.get(greeter)).toBeUndefined();
  expect(cache.lastKnown('greeter')).toEqual([]);
});

test('a cache that cannot be written makes nothing fail', () => {
  writeFileSync(cacheDir, 'a file where the folder should be');
  const cache = createPluginCache(cacheDir, '1');
  cache.set(greeter, answer('greet'));
  expect(cache.get(greeter)).toBeUndefined();
});

test('a plugin of one file is known by that file', () => {
  const file = join(greeter.dir, 'note.wasm');
  writeFileSync(file, 'x');
  const { manifest } = parseManifest({ id: 'note', version: '1.0.0', runtime: 'wasm', entry: 'note.wasm' });
  const note: DiscoveredPlugin = { id: 'note', dir: greeter.dir, file, manifest, origin: 'home' };
  const cache = createPluginCache(cacheDir, '1');
  cache.set(note, answer('Note'));
  writeFileSync(join(greeter.dir, 'main.py'), 'y');
  expect(cache.get(note)?.tools[0]?.name).toBe('Note');
});

test('entries are readable by their owner alone', () => {
  createPluginCache(cacheDir, '1').set(greeter, answer('greet'));
  expect(statSync(join(cacheDir, 'plugins', 'greeter.json')).mode & 0o777).toBe(0o600);
});
