import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createHostWorld, type HostWorld } from '../fixtures/host-world.ts';
import type { Host } from '../host.ts';

const PYTHON = `
import time
import toolpost

@toolpost.resource("notes://{day}")
def notes(day):
    return "the notes of " + day

@toolpost.prompt()
def slow():
    time.sleep(60)

if __name__ == "__main__":
    toolpost.serve()
`;

const NATIVE = `
import { definePlugin } from '@toolpost/sdk';
export default definePlugin({ prompts: [
  { name: 'secret', get: () => { throw new Error('the key is hunter2hunter2') } },
  { name: 'asks', get: async (_given, { ask, session }) => session.user + ' ' + (await ask({ message: 'Who?', schema: {} })).action },
] });
`;

let world: HostWorld;
let host: Host;
beforeEach(() => {
  world = createHostWorld();
});
afterEach(async () => {
  await host.close();
  rmSync(world.dir, { recursive: true, force: true });
});

const pythonDir = fileURLToPath(new URL('../../../../python', import.meta.url));
const asker = (user = '') => ({ session: host.openSession({ user }), abortSignal: new AbortController().signal });
const read = {
  kind: 'resource',
  uri: 'notes://monday',
  uriTemplate: 'notes://{day}',
  variables: { day: 'monday' },
} as const;

function addPython(more: Record<string, unknown> = {}): void {
  world.addProgram('py', [], { entry: 'python3 main.py', ...more });
  world.write('plugins/py/main.py', PYTHON);
}

describe('content of plugins', () => {
  it('of a process is known from the cache, and read in its language', async () => {
    addPython();
    host = await world.open({ pythonDir });
    const [listed] = await host.listContent(host.openSession());
    expect(listed).toMatchObject({ pluginId: 'py', content: { prompts: [{ name: 'slow' }] } });
    expect(await host.answerContent('py', read, asker())).toBe('the notes of monday');
    await host.close();
    host = await world.open({ pythonDir });
    expect(await host.listContent(host.openSession())).toEqual([listed]);
    expect((await host.listPlugins({ start: false }))[0]?.state).toBe('discovered');
  });

  it('that does not come is given up when its time is over, and the plugin goes on', async () => {
    addPython({ timeout: '300ms' });
    host = await world.open({ pythonDir });
    await host.listContent(host.openSession());
    const slow = host.answerContent('py', { kind: 'prompt', name: 'slow', arguments: {} }, asker());
    await expect(slow).rejects.toThrow(/py did not answer within 300 ms/);
    expect(await host.answerContent('py', read, asker())).toBe('the notes of monday');
  });

  it('knows who asks, asks the user, and tells no secret in an error', async () => {
    world.addNative('own', NATIVE, {
      contributes: { configuration: { properties: { key: { type: 'string', secret: true } } } },
    });
    world.write('home/config.json', { plugins: { settings: { own: { key: 'hunter2hunter2' } } } });
    host = await world.open();
    await host.listContent(host.openSession());
    const prompt = (name: string) => ({ kind: 'prompt', name, arguments: {} }) as const;
    const ask = async () => ({ action: 'decline' }) as const;
    expect(await host.answerContent('own', prompt('asks'), { ...asker('ann'), ask })).toBe('ann decline');
    expect(await host.answerContent('own', prompt('asks'), asker('ann'))).toBe('ann cancel');
    await expect(host.answerContent('own', prompt('secret'), asker())).rejects.toThrow(/the key is (?!hunter2)/);
    await expect(host.answerContent('none', prompt('asks'), asker())).rejects.toThrow(/no plugin none/);
  });

  it('is only for the tenants that have the plugin, and needs the permission to offer', async () => {
    world.addNative('own', NATIVE);
    world.addNative('bare', NATIVE, { permissions: [] });
    world.write('home/config.json', { tenants: { acme: { plugins: ['own'] } } });
    host = await world.open();
    const of = async (tenant: string) =>
      (await host.listContent(host.openSession({ tenant }))).map(({ pluginId }) => pluginId);
    expect(await of('acme')).toEqual(['own']);
    expect(await of('')).toEqual([]);
  });
});
