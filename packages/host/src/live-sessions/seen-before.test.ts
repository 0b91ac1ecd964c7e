import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CallRecord, ToolpostEvent } from '@toolpost/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { answers, callsTools, createLiveWorld, type LiveWorld } from './fixtures/live-world.ts';

let world: LiveWorld;
beforeEach(async () => {
  world = await createLiveWorld();
});
afterEach(() => world[Symbol.asyncDispose]());

const recordsIn = (events: readonly ToolpostEvent[]): CallRecord[] =>
  events.flatMap((event) => (event.type === 'tool-call-end' ? [event.result] : []));

/** Has the model make calls, one an answer, and gives the record of the last. */
async function lastOf(world: LiveWorld, session: Awaited<ReturnType<LiveWorld['live']['open']>>, ...calls: object[]) {
  for (const { tool, ...input } of calls as { tool: string }[])
    world.script.push(callsTools([tool, JSON.stringify(input)]));
  world.script.push(answers('Done.'));
  await session.turn('go');
  return recordsIn(session.events()).at(-1);
}

describe('a session that goes on in another host', () => {
  it('does not write over a change of a file that it had read before', async () => {
    const path = join(world.root, 'a.txt');
    writeFileSync(path, 'one\n');
    const first = await world.live.open({ chatId: 'c' });
    await lastOf(world, first, { tool: 'read', file_path: 'a.txt' });
    writeFileSync(path, 'of another program\n');
    const { live } = await world.second();
    const again = await live.open({ chatId: 'c' });
    const refused = await lastOf(world, again, { tool: 'write', file_path: 'a.txt', content: 'two\n' });
    expect(refused).toMatchObject({ outcome: 'failed', text: expect.stringContaining('a.txt changed on disk') });
    expect(readFileSync(path, 'utf8')).toBe('of another program\n');
    const read = [
      { tool: 'read', file_path: 'a.txt' },
      { tool: 'write', file_path: 'a.txt', content: 'two\n' },
    ];
    expect(await lastOf(world, again, ...read)).toMatchObject({ outcome: 'completed' });
    expect(readFileSync(path, 'utf8')).toBe('two\n');
  });

  it('writes a file that is as the latest of its calls left it, also in a copy of it', async () => {
    writeFileSync(join(world.root, 'a.txt'), 'one\n');
    const first = await world.live.open({ chatId: 'c' });
    const edit = { tool: 'edit', file_path: 'a.txt', old_string: 'one', new_string: 'two' };
    await lastOf(world, first, { tool: 'read', file_path: 'a.txt' }, edit);
    const { live } = await world.second();
    const copy = await (await live.open({ chatId: 'c' })).fork();
    for (const session of [copy, await live.open({ chatId: 'c' })]) {
      const record = await lastOf(world, session, { tool: 'write', file_path: 'a.txt', content: 'two\n' });
      expect(record).toMatchObject({ outcome: 'completed' });
    }
    writeFileSync(join(world.root, 'a.txt'), 'three\n');
    const refused = await lastOf(world, copy, { tool: 'write', file_path: 'a.txt', content: 'four\n' });
    expect(refused).toMatchObject({ outcome: 'failed' });
  });
});
