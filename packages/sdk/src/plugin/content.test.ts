import type { JsonObject } from '@toolpost/protocol';
import { describe, expect, it } from 'vitest';
import { serveConnection } from '../serve/serve-connection.ts';
import { createLinkedConnection } from '../testing/linked-connection.ts';
import type { ContentOptions } from './content.ts';
import { definePlugin } from './define-plugin.ts';

const CONTENT: ContentOptions = {
  resources: [{ uri: 'notes://image', name: 'image', read: () => new Uint8Array([0, 1]) }],
  resourceTemplates: [
    {
      uriTemplate: 'notes://{day}',
      name: 'notes',
      read: ({ day }, { uri, session }) => `${session.user} reads ${day} at ${uri}`,
      complete: { day: (value) => ['monday', 'tuesday'].filter((day) => day.startsWith(value)) },
    },
  ],
  prompts: [
    { name: 'greet', arguments: [{ name: 'name', required: true }], get: ({ name }) => `Greet ${name}.` },
    {
      name: 'broken',
      get() {
        throw new Error('the ink is out');
      },
    },
  ],
};

/** The plugin served in memory, activated by a host that knows these versions. */
async function serve(protocolVersions: readonly number[]) {
  const { pluginEnd, hostEnd } = createLinkedConnection();
  const waiting = new Map<unknown, (message: JsonObject) => void>();
  const answered = (id: unknown) => new Promise<JsonObject>((resolve) => waiting.set(id, resolve));
  hostEnd.listen((line) => {
    const message: JsonObject = JSON.parse(line);
    if (message.method === 'settings_get') hostEnd.send(JSON.stringify({ id: message.id, result: {} }));
    else waiting.get(message.id)?.(message);
  });
  const ended = serveConnection(definePlugin(CONTENT), pluginEnd, { log: () => undefined });
  const activation = answered(undefined);
  hostEnd.send(JSON.stringify({ method: 'activate', params: { pluginId: 'p', protocolVersions } }));
  return {
    activation: await activation,
    ask(request: JsonObject): Promise<JsonObject> {
      const answer = answered('c');
      hostEnd.send(JSON.stringify({ id: 'c', method: 'content', params: { request, user: 'ann' } }));
      return answer;
    },
    end() {
      hostEnd.end();
      return ended;
    },
  };
}

describe('content that a plugin contributes', () => {
  it('is declared to a host of version 2, and to no other', async () => {
    const served = await serve([1, 2]);
    expect(served.activation).toMatchObject({
      resources: [{ uri: 'notes://image', name: 'image' }],
      resourceTemplates: [{ uriTemplate: 'notes://{day}', name: 'notes' }],
      prompts: [{ name: 'greet', arguments: [{ name: 'name', required: true }] }, { name: 'broken' }],
    });
    await served.end();
    const old = await serve([1]);
    expect(Object.keys(old.activation)).toEqual(['tools']);
    await old.end();
  });

  it('is read, completed and failed by its functions', async () => {
    const served = await serve([2]);
    const { ask } = served;
    expect(await ask({ kind: 'resource', uri: 'notes://image' })).toEqual({ id: 'c', result: { blob: 'AAE=' } });
    const monday = { uri: 'notes://monday', uriTemplate: 'notes://{day}', variables: { day: 'monday' } };
    expect(await ask({ kind: 'resource', ...monday })).toMatchObject({ result: 'ann reads monday at notes://monday' });
    expect(await ask({ kind: 'prompt', name: 'greet', arguments: { name: 'Bob' } })).toMatchObject({
      result: 'Greet Bob.',
    });
    const completion = { kind: 'completion', uriTemplate: 'notes://{day}', argument: 'day', value: 'm', given: {} };
    expect(await ask(completion)).toMatchObject({ result: ['monday'] });
    expect(await ask({ ...completion, argument: 'constructor' })).toMatchObject({ result: [] });
    expect(await ask({ kind: 'prompt', name: 'broken', arguments: {} })).toMatchObject({ error: 'the ink is out' });
    expect(await ask({ kind: 'prompt', name: 'none', arguments: {} })).toMatchObject({ error: 'Unknown prompt: none' });
    await served.end();
  });

  it.each([
    ['a resource without a URI', { resources: [{ name: 'a', read: () => '' }] }, /resources\[0\]\.uri/],
    ['one that cannot be read', { resources: [{ uri: 'a:b', name: 'a' }] }, /resources\[0\]\.read/],
    ['a prompt without a name', { prompts: [{ get: (): string => '' }] }, /prompts\[0\]\.name/],
    [
      'an argument without one',
      { prompts: [{ name: 'a', arguments: [{}], get: (): string => '' }] },
      /arguments\[0\]\.name/,
    ],
  ])('is refused where it is wrong, with the place: %s', (_, options, place) => {
    expect(() => definePlugin(options as unknown as ContentOptions)).toThrow(place);
  });
});
