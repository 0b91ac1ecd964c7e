import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '@toolpost/protocol';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { callIn, createHostWorld, type HostWorld } from './fixtures/host-world.ts';
import type { Host } from './host.ts';
import type { HostOptions } from './host-options.ts';

let world: HostWorld;
let link: string;
const opened: Host[] = [];

beforeEach(() => {
  world = createHostWorld();
  link = join(world.dir, 'link');
  symlinkSync('root', link);
  world.write('root/src/a.txt', 'needle');
  world.write('root/secret/b.txt', 'needle');
});

afterEach(async () => {
  await Promise.all(opened.splice(0).map((host) => host.close()));
});

/** A host whose root is given by a link, where nobody can answer. */
async function openLinked(permissions: JsonObject = {}, options: HostOptions = {}) {
  world.write('home/config.json', { permissions });
  const host = await world.open({ roots: [link], yes: false, ...options });
  opened.push(host);
  return { host, session: host.openSession() };
}

test('what reads is allowed inside a root that was given by a link, by every name of it', async () => {
  const { host, session } = await openLinked();
  expect(session.roots).toEqual([world.root]);
  for (const root of [link, world.root, '.']) {
    const outcomes = [
      await callIn(host, session, 'read', { file_path: `${root}/src/a.txt` }),
      await callIn(host, session, 'glob', { pattern: `${root}/src/*` }),
      await callIn(host, session, 'grep', { pattern: 'needle', path: `${root}/src` }),
    ];
    expect(outcomes.map(({ outcome, text }) => [outcome, text])).toEqual([
      ['completed', 'needle'],
      ['completed', 'src/a.txt'],
      ['completed', 'src/a.txt:1:needle'],
    ]);
  }
  expect((await callIn(host, session, 'read', { file_path: join(world.dir, 'link2/src/a.txt') })).outcome).toBe(
    'denied',
  );
});

test('an allow rule covers a file by every name of its root, and a write is made there', async () => {
  for (const rule of ['write(src/**)', `write(${link}/src/**)`, `write(${world.root}/src/**)`]) {
    const { host, session } = await openLinked({ allow: [rule] });
    for (const root of [link, world.root, '.']) {
      const content = `${rule} ${root}`;
      const written = await callIn(host, session, 'write', { file_path: `${root}/src/new.txt`, content });
      expect([written.outcome, readFileSync(join(world.root, 'src/new.txt'), 'utf8')]).toEqual(['completed', content]);
    }
    expect((await callIn(host, session, 'write', { file_path: `${link}/b.txt`, content: '' })).outcome).toBe('denied');
  }
});

test('a deny rule holds for every name of the root, also for what a search comes by', async () => {
  const { host, session } = await openLinked({ deny: [`read(${link}/secret/**)`] });
  for (const root of [link, world.root, '.'])
    expect((await callIn(host, session, 'read', { file_path: `${root}/secret/b.txt` })).outcome).toBe('denied');
  const found = await callIn(host, session, 'grep', { pattern: 'needle' });
  expect(found.text).toMatch(/^src\/a\.txt:1:needle\n\(1 file left out by the permission rules/);
});

test('a file of the whole output may be read where the home directory is a link', async () => {
  const homeLink = join(world.dir, 'home-link');
  symlinkSync('home', homeLink);
  const { host, session } = await openLinked({}, { environment: { ...process.env, TOOLPOST_HOME: homeLink } });
  const file = host.keepText(session, 'call-x', 'all of it');
  expect(file).toContain(homeLink);
  expect(await callIn(host, session, 'read', { file_path: file ?? '' })).toMatchObject({
    outcome: 'completed',
    text: 'all of it',
  });
});
