import { rmSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { callIn, createHostWorld, type HostWorld } from '../fixtures/host-world.ts';
import type { Host } from '../host.ts';

let world: HostWorld;
let host: Host | undefined;
beforeEach(() => {
  world = createHostWorld();
});
afterEach(async () => {
  await host?.close();
  host = undefined;
  rmSync(world.dir, { recursive: true, force: true });
});

/** Calls a tool for a tenant; which process answered, and for whom. */
async function whoAnswers(tenant: string, tool = 'who') {
  host ??= await world.open();
  const record = await callIn(host, host.openSession({ tenant }), tool);
  const { pid, context } = JSON.parse(record.text) as { pid: number; context: { tenant: string } };
  return { pid, tenant: context.tenant };
}

const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

describe('a plugin with a process of its own', () => {
  test('serves each tenant with another process, which goes with the host', async () => {
    world.addProgram('p', ['who']);
    host = await world.open();
    const answers = await Promise.all(['', 'acme', 'other', 'acme', ''].map((tenant) => whoAnswers(tenant)));
    expect(answers.map(({ tenant }) => tenant)).toEqual(['', 'acme', 'other', 'acme', '']);
    const [own, acme, other, acmeAgain, ownAgain] = answers.map(({ pid }) => pid);
    expect([acmeAgain, ownAgain]).toEqual([acme, own]);
    expect(new Set([own, acme, other]).size).toBe(3);
    await host?.close();
    expect([own, acme, other].filter((pid) => isAlive(pid ?? 0))).toEqual([]);
  });

  test('is one process for all where its manifest says that it may be shared', async () => {
    world.addProgram('p', ['who'], { sharedAcrossTenants: true });
    host = await world.open();
    const answers = await Promise.all(['', 'acme', 'other'].map((tenant) => whoAnswers(tenant)));
    expect(new Set(answers.map(({ pid }) => pid)).size).toBe(1);
    expect(world.starts('p')).toBe(1);
  });

  test('never crosses a hundred tenants with a hundred calls each at once', async () => {
    world.addProgram('p', ['who'], { sharedAcrossTenants: true });
    const opened = await world.open();
    host = opened;
    const tenants = Array.from({ length: 100 }, (_, index) => `tenant-${index}`);
    const calls = tenants.flatMap((tenant) => {
      const session = opened.openSession({ tenant });
      return Array.from({ length: 100 }, async (_, n) => {
        const { text } = await callIn(opened, session, 'who', { n });
        const { input, context } = JSON.parse(text);
        return context.tenant === tenant && context.sessionId === session.id && input.n === n;
      });
    });
    expect((await Promise.all(calls)).every(Boolean)).toBe(true);
    expect(world.starts('p')).toBe(1);
  });

  test('that belongs to one tenant is one process', async () => {
    world.addProgram('p', ['who']);
    world.write('home/config.json', { tenants: { acme: { plugins: ['p'] } } });
    await whoAnswers('acme');
    await whoAnswers('acme');
    expect(world.starts('p')).toBe(1);
  });

  test('that crashes for one tenant goes on for another', async () => {
    world.addProgram('p', ['who', 'die']);
    const acme = await whoAnswers('acme');
    const other = await whoAnswers('other');
    if (!host) throw new Error('no host');
    const record = await callIn(host, host.openSession({ tenant: 'acme' }), 'die');
    expect(record.outcome).toBe('crashed');
    expect((await whoAnswers('other')).pid).toBe(other.pid);
    expect((await whoAnswers('acme')).pid).not.toBe(acme.pid);
  });

  test.each(['*', 'channels.register'])(
    'that may be a channel, by %s, and is none, is no other',
    async (permission) => {
      world.addProgram('p', ['who'], { permissions: ['tools.register', permission] });
      const answers = [await whoAnswers(''), await whoAnswers('acme')];
      expect(answers.map(({ tenant }) => tenant)).toEqual(['', 'acme']);
      expect(answers[0]?.pid).not.toBe(answers[1]?.pid);
    },
  );
});

describe('what runs of a plugin', () => {
  test('is listed by process, with its tenant, memory and restarts', async () => {
    world.addProgram('p', ['who', 'die']);
    const { pid } = await whoAnswers('acme');
    const processes = async () => (await host?.listPlugins({ start: false }))?.[0]?.processes ?? [];
    expect(await processes()).toContainEqual({
      pid,
      tenant: 'acme',
      startedAt: expect.closeTo(Date.now(), -5),
      ...(process.platform === 'linux' && { memoryBytes: expect.any(Number) }),
      restarts: 0,
      lastStderr: [],
    });
    if (!host) throw new Error('no host');
    await callIn(host, host.openSession({ tenant: 'acme' }), 'die');
    await whoAnswers('acme');
    expect((await processes()).find(({ tenant }) => tenant === 'acme')).toMatchObject({ restarts: 1 });
  });

  test('is stopped, and started again by the next call', async () => {
    world.addProgram('p', ['who']);
    const first = await whoAnswers('');
    await host?.stopPlugin('p');
    expect(isAlive(first.pid)).toBe(false);
    expect((await host?.listPlugins({ start: false }))?.[0]).toMatchObject({
      state: 'discovered',
      tools: ['who'],
      processes: [],
    });
    expect((await whoAnswers('')).pid).not.toBe(first.pid);
    expect((await host?.listPlugins({ start: false }))?.[0]?.processes[0]?.restarts).toBe(1);
  });

  test('is restarted for one tenant alone', async () => {
    world.addProgram('p', ['who']);
    const [acme, other] = [await whoAnswers('acme'), await whoAnswers('other')];
    await host?.stopPlugin('p', { tenant: 'acme', restart: true });
    expect((await whoAnswers('other')).pid).toBe(other.pid);
    expect((await whoAnswers('acme')).pid).not.toBe(acme.pid);
  });

  test('is in flight when it is stopped: the call ends, and what comes meanwhile waits for the new one', async () => {
    world.addProgram('p', ['who']);
    await whoAnswers('');
    const calls = Array.from({ length: 5 }, () => whoAnswers('').catch(() => undefined));
    await host?.stopPlugin('p', { restart: true });
    await Promise.all(calls);
    expect((await whoAnswers('')).tenant).toBe('');
  });

  test('of an unknown id is an error that says so', async () => {
    host = await world.open();
    await expect(host.stopPlugin('nobody')).rejects.toMatchObject({ code: 'PLUGIN_NOT_FOUND' });
  });
});
