import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createMcpWorld, type McpWorld, RawClient } from './fixtures/mcp-world.ts';

let world: McpWorld;
const clients: RawClient[] = [];

beforeAll(() => {
  world = createMcpWorld();
});
beforeEach(() => writeFileSync(world.logFile, ''));
afterAll(() => {
  for (const { child } of clients) if (child.exitCode === null) child.kill('SIGKILL');
  world.remove();
});

function open(options = {}): RawClient {
  const opened = new RawClient(world, options);
  clients.push(opened);
  return opened;
}

const call = (name: string, input = {}, meta = {}) => ({ name, arguments: input, _meta: meta });

describe('a hostile client', () => {
  const opened = async () => {
    const own = open();
    await own.initialize();
    return own;
  };

  it('gets an error for each line that is no message, and is served on', async () => {
    const client = open();
    client.write('nonsense\n{"jsonrpc":"2.0"\n[]\n\n\r\n{"jsonrpc":"2.0","id":99.0,"method":5}\n');
    await client.until(({ error }) => error?.code === -32600 && error.message.includes('method'));
    expect(client.lines.at(-1)).toContain('"id":99.0,');
    expect(client.messages.map(({ error }) => error?.code)).toEqual([-32700, -32700, -32600, -32600]);
    expect((await client.request('ping')).result).toEqual({});
  });

  it('cannot fill the memory with one line', async () => {
    const client = await opened();
    const chunk = 'x'.repeat(1024 * 1024);
    for (let index = 0; index < 20; index++) client.write(chunk);
    client.write('\n');
    const refused = await client.until(({ error }) => error !== undefined);
    expect(refused.error).toMatchObject({ code: -32600, message: expect.stringContaining('16777216') });
    expect((await client.request('ping')).result).toEqual({});
  });

  it('that uses one id twice gets each call answered or refused', async () => {
    const client = await opened();
    client.send({ id: 'same', method: 'tools/call', params: call('waits') });
    await world.logged('waiting');
    client.send({ id: 'same', method: 'tools/call', params: call('echo', { text: 'x' }) });
    const { error } = await client.until(({ id }) => id === 'same');
    expect(error?.code).toBe(-32600);
  });

  it('that reads nothing holds up nothing: no memory, no other work, and all answers come when it reads', async () => {
    const client = await opened();
    client.child.stdout.pause();
    for (let index = 0; index < 60; index++)
      client.send({ id: `f${index}`, method: 'tools/call', params: call('floods', {}, { progressToken: index }) });
    client.send({ id: 'w', method: 'tools/call', params: call('waits') });
    await world.logged('waiting');
    client.child.stdout.resume();
    for (let index = 0; index < 60; index++)
      expect((await client.until(({ id }) => id === `f${index}`)).result).toMatchObject({
        content: [{ text: 'flooded' }],
      });
    const notes = client.messages.filter(({ method }) => method === 'notifications/progress');
    expect(notes.length).toBeLessThan(60 * 900);
  }, 60_000);

  it('that goes away ends everything, and cancels what runs', async () => {
    const client = await opened();
    client.send({ id: 1, method: 'tools/call', params: call('waits') });
    await world.logged('waiting');
    expect(await client.end()).toBe(0);
    await world.logged('aborted');
  });

  it('that goes away while a plugin starts does not wait for it', async () => {
    const pluginDirs = [`${world.dir}/slow-plugins`];
    world.addProgram('slow', [], { entry: 'sleep 60' }, 'slow-plugins/slow');
    const client = open({ pluginDirs });
    client.send({ id: 1, method: 'tools/list' });
    await client.request('ping');
    const startedAt = performance.now();
    expect(await client.end()).toBe(0);
    expect(performance.now() - startedAt).toBeLessThan(15_000);
  }, 60_000);

  it('whose end of the output is closed ends the server', async () => {
    const client = await opened();
    client.send({ id: 1, method: 'tools/call', params: call('waits') });
    await world.logged('waiting');
    client.child.stdout.destroy();
    const ended = once(client.child, 'exit');
    client.send({ id: 2, method: 'tools/list' });
    await ended;
    expect(existsSync(world.logFile)).toBe(true);
  });

  it('and a signal end it in order', async () => {
    const client = await opened();
    client.send({ id: 1, method: 'tools/call', params: call('waits') });
    await world.logged('waiting');
    const ended = once(client.child, 'exit');
    client.child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
    await world.logged('aborted');
  });

  it('that pipes its requests in and ends gets what can be answered at once', async () => {
    const piped = open({ graceMs: 20_000 });
    piped.send({ id: 1, method: 'initialize', params: { protocolVersion: '2024-11-05', capabilities: {} } });
    piped.send({ id: 2, method: 'tools/call', params: call('echo', { text: 'quick' }) });
    expect(await piped.end()).toBe(0);
    expect(piped.messages[0]?.result).toMatchObject({ protocolVersion: '2024-11-05' });
    expect(piped.messages[1]?.result).toMatchObject({ content: [{ text: 'quick' }] });
  });
});
