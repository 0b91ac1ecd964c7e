import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { ShimReport } from './fixtures/attack-shim.ts';
import { type AttackWorld, createAttackWorld, type Preopen, SECRET } from './fixtures/attack-world.ts';
import { ATTACKS, type Attack } from './fixtures/attacks.ts';
import { DEEDS, FOLLOW, listNames, readText, withOpen, writeText } from './fixtures/deeds.ts';
import { openGuestFiles, refusalOf } from './fixtures/guest-files.ts';
import { preopenByDescriptor, preopenByPath } from './fixtures/preopens.ts';
import { race } from './fixtures/race.ts';
import { attempt, escapesOf } from './fixtures/try-attack.ts';

const RACE_MS = 2000;
const MOST_RACE_MS = 30_000;
const MET = 50;
const IS_LINUX = process.platform === 'linux';

function openWorld(preopen: Preopen = preopenByDescriptor): AttackWorld {
  const world = createAttackWorld(preopen);
  onTestFinished(() => world.remove());
  return world;
}

describe('the attacks themselves', () => {
  let shim: ShimReport;
  beforeAll(async () => {
    const script = fileURLToPath(new URL('fixtures/attack-shim.ts', import.meta.url));
    shim = JSON.parse((await promisify(execFile)(process.execPath, [script])).stdout);
  }, 90_000);

  test.each(ATTACKS.filter((attack) => attack.shim === 'escapes'))(
    'succeed against preview2-shim: $name',
    ({ name }) => {
      expect(shim.byAttack[name]).toEqual(expect.arrayContaining(['read', 'create']));
    },
  );

  test.each(ATTACKS.filter((attack) => attack.shim === 'holds'))('are known to it: $name', ({ name }) => {
    expect(shim.byAttack[name]).toEqual([]);
  });

  test('succeed against preview2-shim when another process swaps a directory for a link', () => {
    expect(shim.inRace).not.toEqual([]);
  });

  test.each(ATTACKS.filter((attack) => attack.shim === 'holds' && attack.isDeadEnd === undefined))(
    'lead out where nothing stops them: $name',
    (attack) => expect(leadsOut(attack)).toBe(true),
  );
});

/** Where the system itself ends, which follows everything. */
function leadsOut(attack: Attack): boolean {
  const world = createAttackWorld(preopenByDescriptor, attack.nested);
  try {
    const { from, path } = attack.prepare(world);
    // A descriptor of a subdirectory: both that are tried are one level deep.
    const base = from === world.guest ? world.root : join(world.root, 'inside');
    const real = realpathSync(path.startsWith('/') ? path : `${base}/${path}`);
    return statSync(real).isDirectory() && real !== world.root && !real.startsWith(`${world.root}/`);
  } finally {
    world.remove();
  }
}

describe.skipIf(!IS_LINUX)('held by descriptors', () => {
  test.each(ATTACKS)('no deed gets out of the root: $name', (attack) => {
    expect(escapesOf(attack, preopenByDescriptor)).toEqual([]);
  });

  test('no deed gets out while another process swaps a directory for a link', async () => {
    const end = performance.now() + RACE_MS;
    const { escapes, done, refused } = await race(preopenByDescriptor, (report) => {
      const overMs = performance.now() - end;
      // It has to meet both, on a machine that is busy too.
      return overMs > MOST_RACE_MS || (overMs > 0 && Math.min(report.done, report.refused) > MET);
    });
    expect([...escapes]).toEqual([]);
    expect(Math.min(done, refused)).toBeGreaterThan(MET);
  }, 60_000);
});

describe('held by paths, as elsewhere than on Linux', () => {
  test.each(ATTACKS)('no deed gets out of the root: $name', (attack) => {
    expect(escapesOf(attack, preopenByPath)).toEqual([]);
  });
});

describe.each([
  ['by descriptors', preopenByDescriptor],
  ['by paths', preopenByPath],
])('what stays allowed, held %s', (_, preopen) => {
  test.each<[string, (world: AttackWorld) => string]>([
    ['a relative link to a directory', () => 'inside'],
    ['a link with dots', () => './inside/../inside/.'],
    ['an absolute link inside the root that points inside', ({ root }) => `${root}/inside`],
    ['an absolute link to the root, and .. within it', ({ root }) => `${root}/inside/../inside`],
  ])('%s is followed, for reading and writing', (_name, target) => {
    const world = openWorld(preopen);
    world.host.link('link', target(world));
    expect(readText(world.guest, 'link/own.txt')).toBe('inside');
    writeText(world.guest, 'link/new.txt', 'new');
    expect(readText(world.guest, 'inside/new.txt')).toBe('new');
  });

  test('an absolute link that points inside is followed from a subdirectory that is held', () => {
    const { guest, host, root } = openWorld(preopen);
    host.link('inside/link', `${root}/own.txt`);
    expect(withOpen(guest, 'inside', {}, (inside) => readText(inside, 'link'))).toBe('inside');
  });

  test('a link that dangles inside the root is where the file is made', () => {
    const { guest, root } = openWorld(preopen);
    guest.symlinkAt('inside/new.txt', 'link');
    writeText(guest, 'link', 'made');
    expect(existsSync(join(root, 'inside/new.txt'))).toBe(true);
  });

  test('a link is not followed unless asked for, and a loop of links ends', () => {
    const { guest, host } = openWorld(preopen);
    host.link('link', 'own.txt');
    host.link('one', 'two');
    host.link('two', 'one');
    expect(refusalOf(() => guest.openAt({}, 'link', {}, { read: true }))).toBe('loop');
    expect(guest.statAt({}, 'link').type).toBe('symbolic-link');
    expect(refusalOf(() => guest.statAt(FOLLOW, 'one'))).toBe('loop');
    expect(refusalOf(() => guest.statAt(FOLLOW, 'one/own.txt'))).toBe('loop');
  });

  test('a descriptor that is held keeps its directory when that is renamed', () => {
    const { guest } = openWorld(preopen);
    const held = guest.openAt(FOLLOW, 'inside', {}, { read: true });
    guest.renameAt('inside', guest, 'moved');
    // By path it is lost, and never another one.
    const text = attempt(() => readText(held, 'own.txt'));
    expect(text).toBe(preopen === preopenByDescriptor ? 'inside' : undefined);
    held[Symbol.dispose]();
  });

  test('a hard link that the user made of a file outside is a file of the root', () => {
    const { guest, host, outside } = openWorld(preopen);
    host.run('ln', join(outside, 'secret.txt'), 'shared.txt');
    expect(readText(guest, 'shared.txt')).toBe(SECRET);
  });
});

describe('what is no file', () => {
  test('a FIFO is refused at once, and can be looked at and removed', () => {
    const { guest, host } = openWorld();
    host.run('mkfifo', 'pipe');
    for (const flags of [{ read: true }, { write: true }, { read: true, write: true }])
      expect(refusalOf(() => guest.openAt(FOLLOW, 'pipe', {}, flags))).toBe('not-permitted');
    expect(guest.statAt(FOLLOW, 'pipe').type).toBe('fifo');
    expect(refusalOf(() => guest.linkAt({}, 'pipe', guest, 'second'))).toBe('not-permitted');
    guest.unlinkFileAt('pipe');
  });

  test('a socket is refused', async () => {
    const { guest, root } = openWorld();
    const server = createServer().listen(join(root, 'socket'));
    await new Promise((resolve) => server.once('listening', resolve));
    expect(refusalOf(() => guest.openAt(FOLLOW, 'socket', {}, { read: true }))).toBe('not-permitted');
    expect(guest.statAt(FOLLOW, 'socket').type).toBe('socket');
    await new Promise((resolve) => server.close(resolve));
  });

  test.skipIf(process.getuid?.() !== 0)('a device is refused (made by root alone)', () => {
    const { guest, host } = openWorld();
    host.run('mknod', 'null', 'c', '1', '3');
    expect(refusalOf(() => guest.openAt(FOLLOW, 'null', {}, { read: true }))).toBe('not-permitted');
  });

  test.skipIf(!IS_LINUX)('proc and sys are out of reach even when the root is the whole file system', () => {
    const guest = openGuestFiles([{ path: '/', isReadOnly: false }]).at('/');
    for (const path of ['proc/self/environ', 'proc/self/fd/0', 'proc/self/root/etc', 'proc/1/cwd', 'sys/kernel'])
      expect(refusalOf(() => guest.openAt(FOLLOW, path, {}, { read: true }))).toBe('access');
    expect(refusalOf(() => listNames(guest.openAt(FOLLOW, 'proc', {}, { read: true })))).toBe('access');
  });
});

describe('a directory that is hidden', () => {
  function openWithHome() {
    const world = openWorld();
    world.host.file('home/secret.txt', SECRET);
    mkdirSync(join(world.root, 'home/empty'));
    const home = join(world.root, 'home');
    const guest = openGuestFiles([{ path: world.root, isReadOnly: false }], { hidden: [home] }).at(world.root);
    return { ...world, guest, home };
  }

  test('is out of reach for every deed, also through a link', () => {
    const { guest, host } = openWithHome();
    host.link('way', 'home');
    for (const path of ['home', 'way', 'inside/../home'])
      for (const [name, deed] of Object.entries(DEEDS)) {
        const done =
          name === 'list by the descriptor' ? undefined : attempt(() => ({ loot: deed(guest, { from: guest, path }) }));
        expect({ path, name, done }).toEqual({ path, name, done: undefined });
      }
  });

  test('keeps its name, and is hidden under any other', () => {
    const { guest, host } = openWithHome();
    expect(refusalOf(() => guest.renameAt('home', guest, 'mine'))).toBe('busy');
    host.run('mv', 'home', 'mine');
    expect(refusalOf(() => readText(guest, 'mine/secret.txt'))).toBe('access');
  });

  test.each([
    ['by its real path', 'a/share/home'],
    ['by a link', 'to-home'],
    ['below a link', 'to-share/home'],
    ['by a link to a link', 'to-link'],
  ])('named %s keeps the way to it, and stays hidden', (_, name) => {
    const { root, host } = openWorld();
    host.file('a/share/home/secret.txt', SECRET);
    host.link('to-home', 'a/share/home');
    host.link('to-share', `${root}/a/share`);
    host.link('to-link', 'to-home');
    mkdirSync(join(root, 'other'));
    const guest = openGuestFiles([{ path: root, isReadOnly: false }], { hidden: [join(root, name)] }).at(root);
    expect(refusalOf(() => readText(guest, `${name}/secret.txt`))).toBe('access');
    expect(refusalOf(() => readText(guest, 'a/share/home/secret.txt'))).toBe('access');
    // Of `to-link/home`, the first name leads there; whoever replaces any step gives the host another home.
    const steps = { 'to-home': ['to-home'], 'to-share/home': ['to-share'], 'to-link': ['to-link', 'to-home'] }[name];
    for (const step of ['a', 'a/share', 'a/share/home', ...(steps ?? [])]) {
      expect(refusalOf(() => guest.renameAt(step, guest, 'moved'))).toBe('busy');
      expect(refusalOf(() => guest.renameAt('other', guest, step))).toBe('busy');
      expect(attempt(() => guest.unlinkFileAt(step) ?? 'done')).toBe(undefined);
      expect(attempt(() => guest.removeDirectoryAt(step) ?? 'done')).toBe(undefined);
    }
    expect(readFileSync(join(root, name, 'secret.txt'), 'utf8')).toBe(SECRET);
  });

  test('leaves what lies beside the way to be moved', () => {
    const { root, host } = openWorld();
    host.file('a/home/secret.txt', SECRET);
    host.file('a/beside/own.txt', 'own');
    host.link('to-beside', 'a/beside');
    const guest = openGuestFiles([{ path: root, isReadOnly: false }], { hidden: [join(root, 'a/home')] }).at(root);
    guest.renameAt('a/beside', guest, 'moved');
    guest.renameAt('to-beside', guest, 'link');
    guest.unlinkFileAt('link');
    expect(readText(guest, 'moved/own.txt')).toBe('own');
  });

  test('is no root, and neither is what lies in it', () => {
    const { home } = openWithHome();
    const { filesystem } = openGuestFiles([{ path: join(home, 'empty'), isReadOnly: false }], { hidden: [home] });
    expect(filesystem.problems).toEqual([`the root ${home}/empty is inside a directory that no tool may touch`]);
  });
});
