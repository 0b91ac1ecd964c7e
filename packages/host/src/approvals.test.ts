import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { defineTool } from '@toolpost/sdk';
import { expect, test } from 'vitest';
import type { ApprovalRequest } from './call-path/approver.ts';
import { callIn, createHostWorld } from './fixtures/host-world.ts';
import { openApprovals } from './open-approvals.ts';

const PREVIEWED = `
  import { defineTool } from '@toolpost/sdk';
  export default defineTool({
    name: 'deploy', description: 'Deploys.', inputSchema: { type: 'object', properties: { service: { type: 'string' } } },
    preview({ service }, { roots, settings, session }) { return ['restart', service, 'in', roots.length, settings.place, 'for', session.user].join(' '); },
    execute: () => 'deployed',
  });`;

/** An approver that answers all with this, and what it was asked. */
function asking(answer: 'once' | 'no') {
  const asked: ApprovalRequest[] = [];
  const approve = async (request: ApprovalRequest) => {
    asked.push(request);
    return { answer, by: 'ann' } as const;
  };
  return { asked, approve };
}

test('a native plugin, an own tool and a built-in one each say what a call would do', async () => {
  const world = createHostWorld();
  world.addNative('p', PREVIEWED);
  world.write('home/config.json', { plugins: { settings: { p: { place: 'here' } } } });
  const own = defineTool({ name: 'own', description: 'Mine.', preview: () => 'own preview', execute: () => 'done' });
  const host = await world.open({ yes: false, tools: [own] });
  try {
    const session = host.openSession({ user: 'ann' });
    const { asked, approve } = asking('no');
    await callIn(host, session, 'deploy', { service: 'web' }, { approve });
    await callIn(host, session, 'own', {}, { approve });
    await callIn(host, session, 'write', { file_path: 'a.txt', content: 'x\n' }, { approve });
    await callIn(host, session, 'bash', { command: 'touch b.txt' }, { approve });
    expect(asked.map(({ preview }) => preview)).toEqual([
      'restart web in 1 here for ann',
      'own preview',
      expect.stringContaining('+x'),
      'touch b.txt',
    ]);
    expect(['a.txt', 'b.txt'].filter((name) => existsSync(join(world.root, name)))).toEqual([]);
  } finally {
    await host.close();
  }
});

test('what the diff showed is what is written', async () => {
  const world = createHostWorld();
  world.write('root/a.txt', 'one\r\ntwo\r\n');
  const host = await world.open({ yes: false });
  try {
    const { asked, approve } = asking('once');
    const input = { file_path: 'a.txt', old_string: 'two', new_string: 'TWO' };
    const record = await callIn(host, host.openSession(), 'edit', input, { approve });
    expect(record.metadata?.diff).toBe(asked[0]?.preview);
    expect(readFileSync(join(world.root, 'a.txt'), 'utf8')).toBe('one\r\nTWO\r\n');
  } finally {
    await host.close();
  }
});

test.each([
  ['edit', { old_string: 'two', new_string: 'TWO' }, 'one\ntwo\n'],
  ['write', { content: 'new\n' }, 'one\ntwo\n'],
  ['write', { content: 'new\n' }, undefined],
])('%s is refused when the file is no longer the one that the question showed', async (tool, input, before) => {
  const world = createHostWorld();
  const path = join(world.root, 'a.txt');
  if (before !== undefined) writeFileSync(path, before);
  const host = await world.open({ yes: false });
  try {
    const session = host.openSession();
    const approve = async () => {
      writeFileSync(path, 'changed\ntwo\n');
      return { answer: 'once', by: 'ann' } as const;
    };
    const record = await callIn(host, session, tool, { file_path: 'a.txt', ...input }, { approve });
    expect(record).toMatchObject({ outcome: 'failed', text: expect.stringMatching(/changed on disk since/) });
    expect(readFileSync(path, 'utf8')).toBe('changed\ntwo\n');
  } finally {
    await host.close();
  }
});

test('the time of a call does not count how long a person thought about it', async () => {
  const world = createHostWorld();
  const form = { message: 'Sure?', schema: { type: 'object', properties: {} } } as const;
  const own = defineTool({
    name: 'own',
    description: 'Asks.',
    execute: async (_input, { ask }) => (await Promise.all([ask(form), ask(form)])).map(({ action }) => action).join(),
  });
  const host = await world.open({ yes: false, tools: [own] });
  const thinkMs = 150;
  try {
    const approve = () => sleep(thinkMs, { answer: 'once', by: 'ann' } as const);
    const ask = () => sleep(thinkMs, { action: 'cancel' } as const);
    const startedMs = performance.now();
    const record = await callIn(host, host.openSession(), 'own', {}, { approve, ask });
    const elapsedMs = performance.now() - startedMs;
    expect(record).toMatchObject({ outcome: 'completed', text: 'cancel,cancel' });
    expect(record.durationMs).toBeGreaterThanOrEqual(0);
    // A timer may fire a millisecond early.
    expect(record.durationMs).toBeLessThan(elapsedMs - 2 * thinkMs + 5);
  } finally {
    await host.close();
  }
});

test('a plugin that can have no preview is not started for the question', async () => {
  const world = createHostWorld();
  world.addProgram('program', ['answer']);
  const before = await world.open();
  await before.listTools(before.openSession());
  await before.close();
  const host = await world.open({ yes: false });
  try {
    const { asked, approve } = asking('no');
    expect((await callIn(host, host.openSession(), 'answer', {}, { approve })).outcome).toBe('denied');
    expect(asked).toMatchObject([{ name: 'answer', plugin: 'program' }]);
    expect(asked[0]).not.toHaveProperty('preview');
    expect(world.starts('program')).toBe(1);
  } finally {
    await host.close();
  }
});

test('"always" of one host counts in another that is open, and no longer once it is taken back', async () => {
  const world = createHostWorld();
  const [first, second] = [await world.open({ yes: false }), await world.open({ yes: false })];
  try {
    const input = { command: 'echo hi' };
    const approve = async () => ({ answer: 'always', by: 'ann' }) as const;
    const session = first.openSession();
    await callIn(first, session, 'bash', input, { approve });
    expect((await callIn(second, second.openSession(), 'bash', input)).outcome).toBe('completed');
    const approvals = await openApprovals({ TOOLPOST_HOME: world.homeDir });
    expect(approvals.list().map(({ id }) => approvals.forget(id))).toEqual([true]);
    expect((await callIn(second, second.openSession(), 'bash', input)).outcome).toBe('denied');
    expect((await callIn(first, session, 'bash', input)).outcome).toBe('denied');
  } finally {
    await Promise.all([first.close(), second.close()]);
  }
});
