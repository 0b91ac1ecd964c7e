import { once } from 'node:events';
import { mkdtempSync, readdirSync, readlinkSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect, expectTypeOf, onTestFinished, test } from 'vitest';
import { createCli } from './cli/create-cli.ts';
import { GuestExit } from './cli/guest-exit.ts';
import { createClocks } from './clocks/create-clocks.ts';
import { createWasi, type WasiImports } from './create-wasi.ts';
import { createQuietScope } from './fixtures/preopens.ts';
import { poll } from './io/pollable.ts';
import { createRandom } from './random/create-random.ts';

function openDir(): string {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'toolpost-wasi-')));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

function openCli(environment: readonly (readonly [string, string])[] = []) {
  const printed: string[] = [];
  const write = (stream: string, bytes: Uint8Array) => void printed.push(`${stream}: ${Buffer.from(bytes)}`);
  return { printed, cli: createCli(createQuietScope(), { environment, write }) };
}

test('offers every interface of WASI 0.2 that is not the network, and what the network brings', () => {
  const problems: string[] = [];
  const missing = join(openDir(), 'missing');
  const imports = createWasi({
    roots: [{ path: missing, isReadOnly: false }],
    hidden: [],
    reportProblem: (problem) => problems.push(problem),
    environment: [],
    write: () => undefined,
    wake: new SharedArrayBuffer(4),
    network: { 'wasi:sockets/network': {} },
  });
  expectTypeOf(imports).toEqualTypeOf<WasiImports>();
  expect(problems).toEqual([`the root ${missing} does not exist`]);
  expect(Object.keys(imports).sort()).toEqual([
    ...['environment', 'exit', 'stderr', 'stdin', 'stdout'].map((name) => `wasi:cli/${name}`),
    ...['input', 'output', 'stderr', 'stdin', 'stdout'].map((name) => `wasi:cli/terminal-${name}`),
    'wasi:clocks/monotonic-clock',
    'wasi:clocks/wall-clock',
    'wasi:filesystem/preopens',
    'wasi:filesystem/types',
    'wasi:io/error',
    'wasi:io/poll',
    'wasi:io/streams',
    'wasi:random/insecure',
    'wasi:random/insecure-seed',
    'wasi:random/random',
    'wasi:sockets/network',
  ]);
});

test('the environment holds what was granted and nothing of the host', () => {
  const { cli } = openCli([['NAME', 'value']]);
  const environment = cli['wasi:cli/environment'];
  expect(environment.getEnvironment()).toEqual([['NAME', 'value']]);
  expect(environment.getArguments()).toEqual(['plugin']);
  expect(environment.initialCwd()).toBeUndefined();
  expect(openCli().cli['wasi:cli/environment'].getEnvironment()).toEqual([]);
});

test('standard input is empty, the outputs go to the writer, and there is no terminal', () => {
  const { cli, printed } = openCli();
  expect(() => cli['wasi:cli/stdin'].getStdin().blockingRead(1n)).toThrow(expect.objectContaining({ tag: 'closed' }));
  cli['wasi:cli/stdout'].getStdout().blockingWriteAndFlush(Buffer.from('out'));
  cli['wasi:cli/stderr'].getStderr().blockingWriteAndFlush(Buffer.from('err'));
  expect(printed).toEqual(['stdout: out', 'stderr: err']);
  expect(cli['wasi:cli/terminal-stdin'].getTerminalStdin()).toBeUndefined();
  expect(cli['wasi:cli/terminal-stdout'].getTerminalStdout()).toBeUndefined();
  expect(cli['wasi:cli/terminal-stderr'].getTerminalStderr()).toBeUndefined();
});

test.each([
  ['exit ok', 0, (cli: ReturnType<typeof createCli>) => cli['wasi:cli/exit'].exit({ tag: 'ok' })],
  ['exit err', 1, (cli: ReturnType<typeof createCli>) => cli['wasi:cli/exit'].exit({ tag: 'err' })],
  ['exit 3', 3, (cli: ReturnType<typeof createCli>) => cli['wasi:cli/exit'].exitWithCode(3)],
])('%s ends the guest with status %i', (_, status, exit) => {
  expect(() => exit(openCli().cli)).toThrow(GuestExit);
  expect(() => exit(openCli().cli)).toThrow(expect.objectContaining({ status }));
});

test('a guest sleeps by the monotonic clock, and polls the first of two timers', () => {
  const clock = createClocks(createQuietScope())['wasi:clocks/monotonic-clock'];
  const start = clock.now();
  clock.subscribeDuration(15_000_000n).block();
  expect(clock.now() - start).toBeGreaterThanOrEqual(15_000_000n);
  expect(clock.subscribeInstant(start).ready()).toBe(true);
  const timers = [clock.subscribeDuration(10n ** 15n), clock.subscribeDuration(2_000_000n)];
  expect(poll(timers)).toEqual(Uint32Array.of(1));
});

test('the wall clock is the time of day', () => {
  const { seconds, nanoseconds } = createClocks(createQuietScope())['wasi:clocks/wall-clock'].now();
  expect(Math.abs(Number(seconds) * 1000 + nanoseconds / 1e6 - Date.now())).toBeLessThan(1000);
});

test('random bytes are as many as asked for, and bounded', () => {
  const random = createRandom();
  const { getRandomBytes, getRandomU64 } = random['wasi:random/random'];
  expect(getRandomBytes(1000n)).toHaveLength(1000);
  expect(getRandomU64()).not.toBe(getRandomU64());
  expect(getRandomBytes(0n)).toHaveLength(0);
  expect(() => getRandomBytes(2n ** 40n)).toThrow('random bytes at once');
  expect(new Set(random['wasi:random/insecure-seed'].insecureSeed()).size).toBe(2);
});

test.skipIf(process.platform !== 'linux')('what a thread holds open ends with the thread', async () => {
  const path = openDir();
  const countOpen = () =>
    readdirSync('/proc/self/fd').filter((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`).startsWith(path);
      } catch {
        return false;
      }
    }).length;
  const worker = new Worker(new URL('fixtures/file-holder.ts', import.meta.url), { workerData: path });
  await once(worker, 'message');
  expect(countOpen()).toBeGreaterThan(60);
  await worker.terminate();
  expect(countOpen()).toBe(0);
});
