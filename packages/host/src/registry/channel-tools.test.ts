import { expect, test } from 'vitest';
import { pluginEntry as plugin, sessionOf as session, toolDefinition as tool } from './fixtures/plugin-entry.ts';
import { createRegistry } from './registry.ts';

const inChannel = (name: string, ...channels: string[]) => tool(name, { channels });
const ownerOf = (registry: ReturnType<typeof createRegistry>, name: string, channel: string) =>
  registry.snapshot(session({ channel })).find(name)?.plugin.id;

function withBuiltin() {
  const registry = createRegistry();
  registry.setPlugin(plugin('builtin', ['bash', 'read'], { scope: 'builtin', order: 99, origin: 'builtin' }));
  return registry;
}

test('a tool of a channel shadows in that channel and nowhere else', () => {
  const registry = withBuiltin();
  registry.setPlugin(plugin('tickets', [inChannel('bash', 'tickets')]));
  registry.setPlugin(plugin('other', ['bash'], { scope: 'tenant' }));
  expect(ownerOf(registry, 'bash', 'tickets')).toBe('tickets');
  expect(ownerOf(registry, 'bash', 'cli')).toBe('other');
  registry.removePlugin('other');
  expect(ownerOf(registry, 'bash', 'cli')).toBe('builtin');
});

test('a name is contested where both tools could be met, and stays as it was elsewhere', () => {
  const registry = withBuiltin();
  registry.setPlugin(plugin('tickets', [inChannel('bash', 'tickets')], { origin: 'bundled' }));
  const shadows = (channel: string) => {
    const snapshot = registry.snapshot(session({ channel }));
    return snapshot.tools.filter((one) => snapshot.shadowsAnother(one)).map(({ plugin: { id } }) => id);
  };
  expect(shadows('tickets')).toEqual(['tickets']);
  expect(shadows('cli')).toEqual([]);
});

test('is listed with the scope of its channel, beside tools of its plugin for all', () => {
  const registry = createRegistry();
  registry.setPlugin(plugin('tickets', [inChannel('mine', 'tickets'), 'all']));
  const scopes = registry.snapshot(session({ channel: 'tickets' })).tools.map(({ scope }) => scope);
  expect(scopes).toEqual(['global', 'channel']);
});

test('nothing gets the name of a tool that a crash has taken away, and all is as before once it is back or stopped', () => {
  const registry = withBuiltin();
  const guarded = inChannel('bash', 'web');
  registry.setPlugin(plugin('guard', [guarded]));
  registry.setPlugin(plugin('guard', [], { reserved: [guarded] }));
  expect(ownerOf(registry, 'bash', 'web')).toBeUndefined();
  expect(ownerOf(registry, 'bash', 'cli')).toBe('builtin');
  const { candidates } = registry.explain('bash', session({ channel: 'web' }));
  expect(candidates.map(({ plugin: id, status }) => [id, status])).toEqual([
    ['guard', 'broken'],
    ['builtin', 'shadowed'],
  ]);
  registry.setPlugin(plugin('guard', [guarded]));
  expect(ownerOf(registry, 'bash', 'web')).toBe('guard');
  registry.setPlugin(plugin('guard', []));
  expect(ownerOf(registry, 'bash', 'web')).toBe('builtin');
});

test('a project gets no name while the channel that has it is being started again', () => {
  const registry = createRegistry();
  const own = inChannel('ticket', 'tickets');
  registry.setPlugin(plugin('project', ['ticket'], { origin: 'project', mayShadow: false }));
  registry.setPlugin(plugin('tickets', [], { reserved: [own] }));
  expect(ownerOf(registry, 'ticket', 'cli')).toBeUndefined();
  expect(ownerOf(registry, 'ticket', 'tickets')).toBeUndefined();
});
