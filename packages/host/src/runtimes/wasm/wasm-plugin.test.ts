import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { isAlive } from '../../processes/process-identity.ts';
import { PluginCrash } from '../runtime.ts';
import { copyHome, type Guest, type GuestOptions, loadGuest, newFolder } from './fixtures/load-guest.ts';

const guests: Guest[] = [];
/** For what leaves no traces: its one instance serves all such tests. */
let shared: Guest;

beforeAll(async () => {
  shared = await loadGuest();
});

afterAll(() => shared.plugin.close());

async function load(options?: GuestOptions): Promise<Guest> {
  const guest = await loadGuest(options);
  guests.push(guest);
  return guest;
}

afterEach(async () => {
  await Promise.all(guests.splice(0).map(({ plugin }) => plugin.close()));
});

async function crashOf(ended: Promise<unknown>): Promise<string> {
  const error = await ended.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(PluginCrash);
  return String(error);
}

/** A promise of something that shows up in the file system. */
async function until(condition: () => boolean): Promise<void> {
  await expect.poll(condition, { timeout: 20_000, interval: 5 }).toBe(true);
}

describe('a component', () => {
  test('tells its name, schema and primary argument', async () => {
    const { plugin } = shared;
    expect(plugin.tools).toEqual([
      {
        name: 'guest',
        description: 'Does what op says',
        inputSchema: {
          type: 'object',
          properties: {
            op: { type: 'string', description: 'What to do' },
            file: { type: 'string', description: 'A file' },
          },
          required: ['op'],
        },
        primaryArg: 'file',
      },
    ]);
  });

  test('runs also when it exports enable-chunk-sender, as the older form of its world does', async () => {
    const file = new URL('./fixtures/guest/guest-with-chunk-sender.wasm', import.meta.url).pathname;
    const { call } = await load({ file });
    expect(await call({ op: 'echo', text: 'streaming needs no enabling' })).toEqual({
      content: 'streaming needs no enabling',
    });
  });

  test('fails with its own error, and gives metadata as it is', async () => {
    const { call } = shared;
    expect(await call({ op: 'fail', text: 'no ink' })).toEqual({ content: 'no ink', isError: true });
    expect(await call({ op: 'metadata' })).toEqual({ content: 'edited', metadata: { start_line: 42 } });
  });

  test.each([
    ['wrong-id', /tool_call_id is "of-another-call", that of the call is "call-1"/],
    ['not-json', /no JSON object with content: "no json at all"/],
    ['no-content', /no JSON object with content: "\[1\]"/],
  ])('is refused an answer like %s', async (op, message) => {
    expect(await shared.call({ op })).toEqual({ content: expect.stringMatching(message), isError: true });
  });

  test('appends to files of the root, by absolute and by relative path', async () => {
    const { call, root } = shared;
    await call({ op: 'append', file: 'notes.txt', text: 'one ' });
    await call({ op: 'append', file: join(root, 'notes.txt'), text: 'two' });
    expect(readFileSync(join(root, 'notes.txt'), 'utf8')).toBe('one two');
    expect(await call({ op: 'read', file: '/etc/hostname' })).toMatchObject({ isError: true });
  });

  test('reads a read-only root and changes nothing in it', async () => {
    const { call, root } = shared;
    await call({ op: 'write', file: 'a.txt', text: 'kept' });
    const session = { id: 'reader', channel: 'cli', chatId: 'c', tenant: 't', user: '', readOnlyRoots: [root] };
    expect(await call({ op: 'read', file: 'a.txt' }, { session })).toEqual({ content: 'kept' });
    expect(await call({ op: 'write', file: 'a.txt', text: 'changed' }, { session })).toMatchObject({ isError: true });
    expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('kept');
  });

  test('never reaches the home directory, also when a root contains it', async () => {
    const parent = newFolder('wasm-parent');
    const home = copyHome(join(parent, 'home'));
    const { call } = await load({ home });
    expect(existsSync(join(home, 'cache'))).toBe(true);
    const listing = { op: 'write', file: join(home, 'config.json'), text: '{}' };
    expect(await call(listing, { roots: [parent] })).toMatchObject({ isError: true });
    expect(await call({ ...listing, file: 'home/config.json' }, { roots: [parent] })).toMatchObject({ isError: true });
    expect(existsSync(join(home, 'config.json'))).toBe(false);
    expect(await call({ op: 'write', file: 'beside.txt', text: '' }, { roots: [parent] })).toEqual({
      content: 'written',
    });
  });

  test('sees the variables that the policy names, and no others', async () => {
    const environment = { GREETING: 'hello', SECRET: 'hidden' };
    const none = await load({ environment });
    expect(await none.call({ op: 'env' })).toEqual({ content: '' });
    const one = await load({ environment, grants: { env: ['GREETING', 'ABSENT'] } });
    expect(await one.call({ op: 'env' })).toEqual({ content: 'GREETING=hello\n' });
  });

  test('logs and prints to its log, and not to the client', async () => {
    const { start, context } = shared;
    context.logged.length = 0;
    await start({ op: 'log', text: 'noted' }).ended;
    const printing = start({ op: 'print', text: 'words' });
    expect(await printing.ended).toEqual({ content: 'printed' });
    expect(printing.context.outputs).toEqual([]);
    expect(context.logged.map(({ message }) => message).toSorted()).toEqual(['err words', 'noted', 'out words']);
  });

  test('a flood of log lines is cut to its rate, with one notice', async () => {
    const { call, context } = shared;
    context.logged.length = 0;
    const startedAt = performance.now();
    await call({ op: 'log', text: 'x', count: 20_000 });
    const seconds = (performance.now() - startedAt) / 1000;
    const lines = context.logged.filter(({ message }) => message === 'x').length;
    const leftOut = context.logged.flatMap(({ message }) => /^left out (\d+) more lines/.exec(message)?.[1] ?? []);
    expect(lines).toBeLessThanOrEqual(200 * (Math.floor(seconds) + 1));
    expect(lines + leftOut.reduce((sum, count) => sum + Number(count), 0)).toBe(20_000);
    expect(leftOut.length).toBeLessThanOrEqual(Math.floor(seconds) + 1);
  });
});

describe('an end that was not planned', () => {
  test.each([
    ['trap', /The plugin guest trapped: .*unreachable/],
    ['recurse', /The plugin guest trapped: /],
    ['crash', /The plugin guest exited with status 1\. Its last lines on stderr:\n {2}fatal: the tape is torn/],
    ['exit', /The plugin guest exited with status 1\.$/],
    ['exhaust', /The plugin guest trapped: .*its memory was at the cap of 32 MiB/],
  ])('%s is a crash that says so, and the next call has a new instance', async (op, message) => {
    const { plugin, call, context } = await load({ grants: { memoryMb: 32 } });
    expect(await call({ op: 'count' })).toEqual({ content: '1' });
    expect(await crashOf(call({ op }))).toMatch(message);
    expect(plugin.isReady).toBe(false);
    expect(context.changes).toEqual([{ state: 'stopped', reason: expect.stringMatching(message) }]);
    await plugin.ready();
    expect(plugin.isReady).toBe(true);
    expect(await call({ op: 'count' })).toEqual({ content: '1' });
  });

  test('last words are those of the call that crashed', async () => {
    const { call } = await load();
    await call({ op: 'print', text: 'earlier' });
    expect(await crashOf(call({ op: 'trap' }))).not.toContain('earlier');
  });

  test('a call that is given up ends its instance, and the next one has another', async () => {
    const { start, call, root } = await load();
    const { context, ended } = start({ op: 'never', startedFile: join(root, 'started') });
    await until(() => existsSync(join(root, 'started')));
    context.abort('timed-out');
    await crashOf(ended);
    expect(await call({ op: 'count' })).toEqual({ content: '1' });
  });
});

describe('memory', () => {
  test('ends at the cap, where the allocator of the guest fails', async () => {
    const { call } = await load({ grants: { memoryMb: 64 } });
    expect(await call({ op: 'memory', mib: 32 })).toEqual({ content: '32 MiB' });
    const result = await call({ op: 'memory', mib: 4000 });
    const taken = Number.parseInt(String((result as { content: string }).content), 10);
    expect(taken).toBeGreaterThan(16);
    expect(taken).toBeLessThan(64);
  });

  test('a component that needs more than it may have is refused, with the setting', async () => {
    await expect(load({ grants: { memoryMb: 0 } })).rejects.toThrow(
      /needs 1 MiB of memory to start, and may have 0 MiB/,
    );
  });
});

describe('spawn', () => {
  test('is refused with the name of the setting', async () => {
    const { call, root } = shared;
    expect(await call({ op: 'spawn', command: 'touch ran' })).toEqual({
      content: expect.stringContaining('toolPolicy.guest.spawn'),
      isError: true,
    });
    expect(existsSync(join(root, 'ran'))).toBe(false);
  });

  test('runs in the first root with few variables, streams both outputs and gives the text', async () => {
    const { start, root } = await load({ grants: { spawn: true }, environment: { SECRET: 'x', HOME: '/home/ann' } });
    const command = 'pwd; echo $SECRET$HOME; printf "no end" >&2; kill -9 $$';
    const { context, ended } = start({ op: 'spawn', command });
    expect(await ended).toEqual({ content: `Exit code: -1\nStdout:\n${root}\n/home/ann\nStderr:\nno end\n` });
    const streamed = (stream: string) =>
      context.outputs
        .filter((output) => output.stream === stream)
        .map(({ text }) => text)
        .join('');
    expect(streamed('stdout')).toBe(`${root}\n/home/ann\n`);
    expect(streamed('stderr')).toBe('no end');
  });

  test('streams while the guest waits', async () => {
    const { start, root } = await load({ grants: { spawn: true } });
    const { context, ended } = start({ op: 'spawn', command: 'echo first; until test -e go; do sleep 0.01; done' });
    await until(() => context.outputs.length > 0);
    expect(context.outputs).toEqual([{ stream: 'stdout', text: 'first\n' }]);
    const other = start({ op: 'write', file: 'go', text: '' }, { session: { ...context.session, id: 'other' } });
    await Promise.all([other.ended, ended]);
    expect(existsSync(join(root, 'go'))).toBe(true);
  });

  test('gives the start of a long output', async () => {
    const { call } = await load({ grants: { spawn: true } });
    const result = await call({ op: 'spawn', command: 'yes é | head -c 3000001' });
    const { content } = result as { content: string };
    expect(content.length).toBeLessThan(1024 * 1024 + 200);
    expect(content).toContain('[the output is longer than 1 MiB: the rest is left out]');
  });

  test('ends with the call, also what left its group', async () => {
    const { start, root } = await load({ grants: { spawn: true } });
    const command = 'setsid sleep 100 & sleep 100 & echo $! $$ > pids.part; mv pids.part pids; sleep 100';
    const { context, ended } = start({ op: 'spawn', command });
    await until(() => existsSync(join(root, 'pids')));
    const pids = readFileSync(join(root, 'pids'), 'utf8').trim().split(' ').map(Number);
    expect(pids.map(isAlive)).toEqual([true, true]);
    context.abort('timed-out');
    await crashOf(ended);
    await until(() => !pids.some(isAlive));
  });

  test('leaves nothing running when it returns', async () => {
    const { call } = await load({ grants: { spawn: true } });
    const result = await call({ op: 'spawn', command: 'sleep 100 > /dev/null 2>&1 & echo $!' });
    const pid = Number(/\n(\d+)\n/.exec((result as { content: string }).content)?.[1]);
    expect(isAlive(pid)).toBe(false);
  });
});

describe('instances', () => {
  const session = (id: string, tenant = '') => ({ session: { id, tenant, channel: 'cli', chatId: 'c', user: '' } });

  test('each session has its own, for all of its calls', async () => {
    const { call } = await load();
    expect(await call({ op: 'count' }, session('a'))).toEqual({ content: '1' });
    expect(await call({ op: 'count' }, session('a'))).toEqual({ content: '2' });
    expect(await call({ op: 'count' }, session('b'))).toEqual({ content: '1' });
  });

  test('shared: sessions of one tenant with the same roots have one', async () => {
    const { call } = await load({ manifest: { instances: 'shared' } });
    expect(await call({ op: 'count' }, session('a', 't'))).toEqual({ content: '1' });
    expect(await call({ op: 'count' }, session('b', 't'))).toEqual({ content: '2' });
    expect(await call({ op: 'count' }, session('b', 'u'))).toEqual({ content: '1' });
    expect(await call({ op: 'count' }, { ...session('b', 't'), roots: [newFolder('other-root')] })).toEqual({
      content: '1',
    });
  });

  test('call: each call has a new one, and calls run at the same time', async () => {
    const { call } = await load({ manifest: { instances: 'call' } });
    const counts = await Promise.all(['a', 'a', 'a'].map((id) => call({ op: 'count' }, session(id))));
    expect(counts).toEqual([{ content: '1' }, { content: '1' }, { content: '1' }]);
  });

  test('sessions run at the same time, calls of one in their order', async () => {
    const { call } = await load();
    await Promise.all(['a', 'b'].map((id) => call({ op: 'echo', text: '' }, session(id))));
    const ended: string[] = [];
    const sleep = async (id: string, ms: number, tag: string) => {
      await call({ op: 'sleep', ms, tag }, session(id));
      ended.push(tag);
    };
    await Promise.all([sleep('a', 300, 'a1'), sleep('a', 0, 'a2'), sleep('b', 100, 'b1')]);
    expect(ended).toEqual(['b1', 'a1', 'a2']);
  });

  test('a wait for a place is given up with its call, and the place serves the next', async () => {
    const { start, call } = await load();
    const busy = start({ op: 'sleep', ms: 300, tag: 'busy' });
    const waiting = start({ op: 'echo', text: 'never' });
    waiting.context.abort('cancelled');
    expect(await crashOf(waiting.ended)).toContain('given up before its turn');
    expect(await busy.ended).toEqual({ content: 'busy' });
    expect(await call({ op: 'echo', text: 'next' })).toEqual({ content: 'next' });
  });

  test('a place that was acquired and is not used serves the next call', async () => {
    const { plugin, start, call } = await load();
    await call({ op: 'echo', text: '' });
    const { context: unused } = start({ op: 'echo', text: '' });
    await call({ op: 'echo', text: '' });
    const place = plugin.acquire?.(unused);
    expect(place).toBeUndefined();
    unused.abort('cancelled');
    expect(await call({ op: 'echo', text: 'served' })).toEqual({ content: 'served' });
  });
});

describe('a constructor', () => {
  /** Where it is transpiled and nothing is known of its tools, since it was never constructed. */
  const home = newFolder('wasm-home');
  const broken = (how: string) => ({
    environment: { GUEST_CONSTRUCTOR: how },
    grants: { env: ['GUEST_CONSTRUCTOR'] },
    home,
  });

  test.each([
    ['trap', /guest trapped: .*unreachable/],
    ['exit', /guest exited with status 1[\s\S]*fatal: the tape is torn/],
  ])('that ends by %s is an error of this plugin', async (how, message) => {
    await expect(load(broken(how))).rejects.toThrow(message);
  });

  test('that never ends is given up when the host closes', async () => {
    await expect(load({ ...broken('loop'), closing: AbortSignal.timeout(500) })).rejects.toThrow(/clos/);
  });

  test('that never ends is given up after the start time-out', async () => {
    const manifest = { startTimeout: '1s' };
    await expect(load({ ...broken('loop'), manifest })).rejects.toThrow(/did not start within 1s/);
  });

  test('is told what is wrong with a schema', async () => {
    const environment = { GUEST_SCHEMA: 'no schema' };
    const bad = load({ environment, grants: { env: ['GUEST_SCHEMA'] }, home });
    await expect(bad).rejects.toThrow(/its schema is no JSON: "no schema"/);
  });

  test('that answers anew replaces what was known of its tools', async () => {
    const { plugin, call, context } = await load({
      home: copyHome(),
      environment: { GUEST_NAME: 'renamed' },
      grants: { env: ['GUEST_NAME'] },
    });
    expect(plugin.tools.map(({ name }) => name)).toEqual(['guest']);
    await call({ op: 'echo', text: '' });
    expect(plugin.tools.map(({ name }) => name)).toEqual(['renamed']);
    expect(context.changes).toEqual([{ state: 'tools-changed' }]);
  });
});

test('closing ends calls in flight, and takes no more', async () => {
  const { plugin, start, call, root } = await load();
  const { ended } = start({ op: 'never', startedFile: join(root, 'started') });
  await until(() => existsSync(join(root, 'started')));
  const waiting = call({ op: 'echo', text: 'waiting' });
  await Promise.all([plugin.close(), plugin.close(), crashOf(ended), crashOf(waiting)]);
  await crashOf(call({ op: 'echo', text: 'late' }));
  expect(plugin.isReady).toBe(false);
});
