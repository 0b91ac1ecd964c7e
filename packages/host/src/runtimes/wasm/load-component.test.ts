import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { GUEST_FILE, loadGuest, newFolder } from './fixtures/load-guest.ts';
import { loadComponent } from './load-component.ts';
import { findTranspiler, TRANSPILER_VERSION } from './transpiler.ts';

const caps = { memoryPages: 4096, tableElements: 100_000 };

function load(homeDir: string, file = GUEST_FILE) {
  return loadComponent({ file, homeDir, caps, transpileTimeoutMs: 60_000 });
}

function cacheFiles(homeDir: string): string[] {
  const folder = join(homeDir, 'cache/wasm');
  return readdirSync(folder).map((name) => join(folder, name));
}

function fileWith(bytes: Uint8Array | string): string {
  const file = join(newFolder('component'), 'some.wasm');
  writeFileSync(file, bytes);
  return file;
}

describe('the cache', () => {
  const home = newFolder('wasm-home');

  beforeAll(async () => {
    await Promise.all([load(home), load(home)]);
  });

  test('holds one whole entry after two hosts wrote it at once', () => {
    expect(cacheFiles(home)).toEqual([expect.stringMatching(/[\da-f]{64}\.bin$/)]);
  });

  test('serves what was transpiled, what the component told, and V8 code', async () => {
    const first = await load(home);
    expect(first.declarations).toBeUndefined();
    first.keep([{ name: 'kept' }], Uint8Array.of(1, 2, 3));
    const second = await load(home);
    expect(second.declarations).toEqual([{ name: 'kept' }]);
    expect(second.codeCache).toEqual(Uint8Array.of(1, 2, 3));
    expect(second.component).toEqual(first.component);
    second.keep([], undefined);
    expect((await load(home)).codeCache).toEqual(Uint8Array.of(1, 2, 3));
  });

  test('forgets what was written long ago', async () => {
    const old = join(home, 'cache/wasm/old.bin');
    writeFileSync(old, 'of a former build');
    utimesSync(old, 1, 1);
    (await load(home)).keep([], undefined);
    expect(cacheFiles(home)).toEqual([expect.stringMatching(/[\da-f]{64}\.bin$/)]);
  });

  test.each([
    ['cut', (file: string) => truncateSync(file, 50_000)],
    ['emptied', (file: string) => writeFileSync(file, '')],
    ['changed in one bit', flipBit],
  ])('rebuilds an entry that was %s', async (_how, damage) => {
    const [file = ''] = cacheFiles(home);
    const { component } = await load(home);
    damage(file);
    expect((await load(home)).component).toEqual(component);
  });

  test('needs no transpiler when it knows the component', async () => {
    const { component } = await load(home);
    expect(component.glue).toContain('instantiate');
    // The bytes count, not the place.
    const file = join(newFolder('component'), 'copy.wasm');
    copyFileSync(GUEST_FILE, file);
    const startedAt = performance.now();
    expect((await load(home, file)).component).toEqual(component);
    expect(performance.now() - startedAt).toBeLessThan(5000);
  });

  test('a transpilation that takes too long is given up, and says that it is done once', async () => {
    const load = loadComponent({ file: GUEST_FILE, homeDir: newFolder('wasm-home'), caps, transpileTimeoutMs: 1 });
    await expect(load).rejects.toThrow('its transpilation, which is done once, took longer than 1ms');
  });

  test('transpiles no longer than the host is open', async () => {
    const closing = AbortSignal.timeout(50);
    const homeDir = newFolder('wasm-home');
    const load = loadComponent({ file: GUEST_FILE, homeDir, caps, transpileTimeoutMs: 60_000, closing });
    await expect(load).rejects.toThrow('the host is closing');
  });

  test('a home that cannot be written only means to transpile again', async () => {
    const readOnly = newFolder('wasm-home');
    writeFileSync(join(readOnly, 'cache'), 'in the way');
    expect((await load(readOnly)).component.exports).toContain('ein:plugin/tool');
  });
});

describe('a file that is no plugin', () => {
  const home = newFolder('wasm-home');
  const core = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0);
  const component = Uint8Array.of(0, 0x61, 0x73, 0x6d, 0x0d, 0, 1, 0);

  test.each([
    ['text', 'hello', 'it is no WebAssembly file'],
    ['nothing', '', 'it is no WebAssembly file'],
    ['a core module', core, 'it is a core module, not a component; build it for wasm32-wasip2'],
    ['a component without exports', component, /it exports no tool: expected is .*found is nothing/],
    [
      'a torn component',
      readFileSync(GUEST_FILE).subarray(0, 40_000),
      /^it is damaged, cut off, .*: unexpected end-of-file \(at offset 0x[\da-f]+\)$/,
    ],
    ['one that is garbled', garbled(), /^it is damaged, cut off, .*\(at offset 0x[\da-f]+\)$/],
  ])('is told so: %s', async (_what, bytes, message) => {
    await expect(load(home, fileWith(bytes))).rejects.toThrow(message);
  });

  test('a missing one is named', async () => {
    await expect(loadGuest({ file: join(home, 'absent.wasm') })).rejects.toThrow(
      /The plugin guest could not be loaded from .*absent\.wasm: there is no such file/,
    );
  });
});

test('an interface that is not there is named', async () => {
  const home = newFolder('wasm-home');
  // The same length, so that the bytes around stay right.
  const changed = Buffer.from(
    readFileSync(GUEST_FILE).toString('latin1').replaceAll('ein:host/host', 'ein:moon/moon'),
    'latin1',
  );
  await expect(loadGuest({ file: fileWith(changed), home })).rejects.toThrow(
    'imports what Toolpost does not provide: ein:moon/moon',
  );
});

describe('the transpiler', () => {
  const lonely = pathToFileURL(join(newFolder('lonely'), 'host.js')).href;

  test('is the one that the packages ask for', () => {
    for (const name of ['host', 'cli']) {
      const file = resolve(import.meta.dirname, `../../../../${name}/package.json`);
      const { peerDependencies } = JSON.parse(readFileSync(file, 'utf8'));
      expect(peerDependencies['@bytecodealliance/jco-transpile']).toBe(TRANSPILER_VERSION);
    }
  });

  test('when it is not installed, the error has the command that installs it', () => {
    const home = join(newFolder('wasm-home'), "it's here");
    expect(() => findTranspiler(home, lonely)).toThrow(
      `it is not installed. Install it with: npm install --prefix '${home.replace("'", "'\\''")}/wasm' @bytecodealliance/jco-transpile@${TRANSPILER_VERSION}`,
    );
  });

  /** A home with an empty folder for the packages of the scope. */
  function homeWithScope(): { home: string; folder: string } {
    const home = newFolder('wasm-home');
    const folder = join(home, 'wasm/node_modules/@bytecodealliance/jco-transpile');
    mkdirSync(dirname(folder), { recursive: true });
    return { home, folder };
  }

  test('is found where that command installs it', () => {
    const { home, folder } = homeWithScope();
    const entry = createRequire(import.meta.url).resolve('@bytecodealliance/jco-transpile');
    const installed = entry.slice(0, entry.lastIndexOf('/dist/'));
    symlinkSync(installed, folder);
    expect(findTranspiler(home, lonely)).toEqual({ moduleUrl: pathToFileURL(entry).href });
  });

  test('of another version is named, with the command', () => {
    const { home, folder } = homeWithScope();
    mkdirSync(folder);
    writeFileSync(join(folder, 'package.json'), '{"version":"9.9.9","main":"index.js"}');
    writeFileSync(join(folder, 'index.js'), '');
    expect(() => findTranspiler(home, lonely)).toThrow(/found is 9\.9\.9 in .*jco-transpile\. Install it/);
  });
});

/** The guest with some bytes of its code written over. */
function garbled(): Uint8Array {
  return readFileSync(GUEST_FILE).fill('X', 20_000, 20_016);
}

function flipBit(file: string): void {
  const bytes = readFileSync(file);
  const at = Math.floor(bytes.length / 2);
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  writeFileSync(file, bytes);
}
