import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { ToolpostEvent } from '@toolpost/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { faultsOf } from '../agent/fixtures/history-faults.ts';
import { repairHistory } from '../agent/history.ts';
import { createHostWorld, type HostWorld } from '../fixtures/host-world.ts';
import type { Host } from '../host.ts';
import { startStrictProvider } from '../models/fixtures/strict-provider.ts';
import { createSessionStore } from '../sessions/create-session-store.ts';
import type { SessionStore } from '../sessions/session-store.ts';
import { STREAMING_TOOLS } from './fixtures/random-turns.ts';
import type { LiveSession } from './live-session.ts';
import { createLiveSessions } from './live-sessions.ts';

/** TOOLPOST_KILLS=200 runs the whole of it, which takes minutes. */
const KILLS = Number(process.env.TOOLPOST_KILLS ?? 3);
const PROGRAM = fileURLToPath(new URL('./fixtures/endless-turns.ts', import.meta.url));

let world: HostWorld;
let provider: Awaited<ReturnType<typeof startStrictProvider>>;
let host: Host;
let store: SessionStore;
const children = new Set<ChildProcess>();
beforeEach(async () => {
  world = createHostWorld();
  world.addNative('tools', STREAMING_TOOLS);
  provider = await startStrictProvider(Math.random);
  host = await world.open();
  store = createSessionStore(world.homeDir);
});
afterEach(async () => {
  for (const child of children) child.kill('SIGKILL');
  await host.close();
  store.close();
  await provider[Symbol.asyncDispose]();
  rmSync(world.dir, { recursive: true, force: true });
});

/**
 * A host of its own that works on the session of `chatId`; the last lines it wrote may be cut. `maxFileBlocks` is what a
 * file may grow to, in blocks of 512 bytes: a disk that is full soon.
 */
function startHost(chatId: string, model: string, maxFileBlocks?: number) {
  const words = [process.execPath, PROGRAM, world.pluginsDir, world.root, model, chatId];
  const limit = `trap '' XFSZ; ulimit -f ${maxFileBlocks}; exec "$0" "$@"`;
  const [file = '', ...args] = maxFileBlocks === undefined ? words : ['sh', '-c', limit, ...words];
  const child = spawn(file, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      ...{ TOOLPOST_HOME: world.homeDir, ANTHROPIC_API_KEY: 'key', ANTHROPIC_BASE_URL: provider.url },
    },
  });
  children.add(child);
  let output = '';
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const more = new EventTarget();
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    more.dispatchEvent(new Event('more'));
  });
  const closed = once(child, 'close').then(() => {
    children.delete(child);
    const lines = output.split('\n').slice(0, -1);
    return { errors, seen: lines.map((line): ToolpostEvent => JSON.parse(line)) };
  });
  return {
    /** Resolves when a client has seen so many events. */
    shows: (count: number) =>
      new Promise<void>((resolve, reject) => {
        const look = () => output.split('\n').length > count && resolve();
        more.addEventListener('more', look);
        void closed.then(() => reject(new Error(`it ended by itself: ${errors}`)));
      }),
    /** Resolves when it has ended by itself. */
    closed,
    async kill(): Promise<ToolpostEvent[]> {
      child.kill('SIGKILL');
      return (await closed).seen;
    },
  };
}

const modelOf = (index: number) => (index % 2 === 0 ? `openai-compatible:m@${provider.url}` : 'anthropic:m');
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

function logOf(id: string): ToolpostEvent[] {
  const log: ToolpostEvent[] = [];
  for (let page = store.events(id); page.length > 0; page = store.events(id, { afterSeq: log.length }))
    log.push(...page);
  expect(log.map(({ seq }) => seq)).toEqual(log.map((_, index) => index + 1));
  return log;
}

/** Every turn and every call that began has ended, once. */
function expectClosed(log: readonly ToolpostEvent[]): void {
  let isOpen = false;
  const calls = new Set<string>();
  for (const event of log) {
    if (event.type === 'turn-start') {
      expect([isOpen, [...calls]]).toEqual([false, []]);
      isOpen = true;
    } else if (event.type === 'turn-end' || event.type === 'turn-error') {
      expect([isOpen, [...calls]]).toEqual([true, []]);
      isOpen = false;
    } else if (event.type === 'tool-call-start') calls.add(event.toolCallId);
    else if (event.type === 'tool-call-end') expect(calls.delete(event.toolCallId)).toBe(true);
  }
  expect([isOpen, [...calls]]).toEqual([false, []]);
}

describe('a host that is killed at any moment', () => {
  it(
    `loses no event that a client has seen, and leaves a conversation that both wires take (${KILLS} kills)`,
    async () => {
      const seen: ToolpostEvent[] = [];
      for (let kill = 0; kill < KILLS; kill++) {
        const running = startHost('c', modelOf(kill));
        await running.shows(1 + Math.floor(Math.random() * 100));
        await sleep(Math.random() * 5);
        seen.push(...(await running.kill()));

        const live = createLiveSessions({ host, store });
        const session = await live.open({ chatId: 'c' });
        const history = session.history();
        expect([faultsOf(history), repairHistory(history)]).toEqual([[], history]);
        const log = logOf(session.session.id);
        expectClosed(log);
        expect(seen).toEqual(seen.map(({ seq }) => log[seq - 1]));
        await live.close();
      }
      expect(seen.length).toBeGreaterThan(KILLS);
      expect(provider.faults).toEqual([]);
    },
    KILLS * 40_000,
  );

  it('leaves one session that another host works on in one numbering, each of its turns whole', async () => {
    const hosts = [startHost('c', modelOf(0)), startHost('c', modelOf(1))];
    await Promise.all(hosts.map(({ shows }) => shows(20)));
    const [first] = hosts;
    const seenByFirst = (await first?.kill()) ?? [];
    const id = store.getByKey({ tenant: '', channel: 'cli', chatId: 'c' })?.session.id ?? '';
    // The other one takes over and closes what was left.
    const before = store.get(id)?.lastSeq ?? 0;
    while ((store.get(id)?.lastSeq ?? 0) < before + 20) await sleep(20);
    const seenBySecond = (await hosts[1]?.kill()) ?? [];
    const live = createLiveSessions({ host, store });
    await live.open({ chatId: 'c' });
    const log = logOf(id);
    expectClosed(log);
    for (const seen of [seenByFirst, seenBySecond]) {
      expect(seen).toEqual(seen.map(({ seq }) => log[seq - 1]));
      expect(seen.map(({ seq }) => seq)).toEqual(seen.map((_, index) => (seen[0]?.seq ?? 0) + index));
    }
    expect(provider.faults).toEqual([]);
    await live.close();
  }, 120_000);

  it('has its turn ended for those who read it at another host, who need do nothing for that', async () => {
    const live = createLiveSessions({ host, store });
    let session: LiveSession | undefined;
    // The kill may come between two turns.
    while (!session || !store.get(session.session.id)?.openTurn) {
      const running = startHost('c', modelOf(0));
      await running.shows(20);
      const known = store.getByKey({ tenant: '', channel: 'cli', chatId: 'c' });
      session = await live.resume(known?.session.id ?? '');
      await running.kill();
    }
    const { id } = session.session;
    for await (const batch of session.follow({ afterSeq: store.get(id)?.lastSeq })) {
      const end = batch.find(({ type }) => type === 'turn-error');
      if (!end) continue;
      expect(end).toMatchObject({ message: expect.stringContaining('The host ended') });
      break;
    }
    expectClosed(logOf(id));
    await live.close();
  }, 120_000);

  it('ends its turn with what is wrong when the disk is full, and has shown nothing that is not kept', async () => {
    const { seen, errors } = await startHost('c', modelOf(0), 800).closed;
    expect(errors).toMatch(/sessions\.db does not work: the disk (is full|does not take or give data)/);
    expect(seen.length).toBeGreaterThan(20);
    const live = createLiveSessions({ host, store });
    const session = await live.open({ chatId: 'c' });
    const log = logOf(session.session.id);
    expectClosed(log);
    expect(seen).toEqual(seen.map(({ seq }) => log[seq - 1]));
    expect(faultsOf(session.history())).toEqual([]);
    await live.close();
  }, 120_000);
});
