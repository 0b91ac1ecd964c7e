import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadSettings } from './load-settings.ts';
import { addProjectSettings } from './project-settings.ts';

const user = loadSettings({ homeDir: mkdtempSync(join(tmpdir(), 'toolpost-project-')) }).settings;
const project = (config: unknown, mcpConfig?: unknown, root = '/home/ann/shop') => ({
  root,
  ...(config !== undefined && { config: JSON.stringify(config) }),
  ...(mcpConfig !== undefined && { mcpConfig: JSON.stringify(mcpConfig) }),
});

test('what may count is added to what the user said', () => {
  const mine = {
    ...user,
    model: 'demo',
    plugins: { ...user.plugins, disabled: ['a'] },
    permissions: { allow: ['read'], ask: ['edit'], deny: ['bash'] },
  };
  const config = {
    model: 'openai:gpt-5',
    maxTools: 10,
    plugins: { disabled: ['a', 'b'] },
    permissions: { ask: ['write'], deny: ['read(**/.env)'] },
    mcpServers: { local: { command: 'server' } },
  };
  const { settings, warnings } = addProjectSettings(mine, [project(config)]);
  expect(settings).toEqual({
    ...mine,
    model: 'openai:gpt-5',
    maxTools: 10,
    plugins: { ...mine.plugins, disabled: ['a', 'b'] },
    permissions: { allow: ['read'], ask: ['edit', 'write'], deny: ['bash', 'read(**/.env)'] },
    mcpServers: { local: { command: 'server', root: '/home/ann/shop' } },
  });
  expect(warnings).toEqual([]);
});

test('what would loosen a rule or reach further is ignored, each with a warning', () => {
  const config = {
    permissions: { allow: ['bash'] },
    plugins: { dirs: ['/tmp/evil'], settings: { a: {} } },
    toolPolicy: { '*': { spawn: true } },
    channels: { web: { enabled: true } },
    limits: {},
    tenants: {},
    colour: 'red',
  };
  const { settings, warnings } = addProjectSettings(user, [project(config)]);
  expect(settings).toEqual(user);
  const keys = [
    'permissions.allow',
    'plugins.dirs',
    'plugins.settings',
    'toolPolicy',
    'channels',
    'limits',
    'tenants',
    'colour',
  ];
  expect(warnings).toEqual(
    keys.map((key) => `/home/ann/shop/.toolpost/config.json: ${key}: ignored, because a project may not set it`),
  );
});

test.each(['openai-compatible:x@http://evil.example', 'openai-compatible/x@evil', 'https://evil.example'])(
  'a model with an address is ignored: %s',
  (model) => {
    const { settings, warnings } = addProjectSettings({ ...user, model: 'demo' }, [project({ model })]);
    expect(settings.model).toBe('demo');
    expect(warnings[0]).toContain('model with an address');
  },
);

test('a bad value is an error, because a lost deny rule would open a door', () => {
  expect(() => addProjectSettings(user, [project({ permissions: { deny: 'bash' } })])).toThrow(
    /\.toolpost\/config\.json: permissions\.deny: found "bash"/,
  );
});

test('.mcp.json is read, without complaint about the keys of other clients', () => {
  const { settings, warnings } = addProjectSettings(user, [
    project(undefined, { mcpServers: { shop: { command: 'shop-mcp' } }, inputs: [] }),
  ]);
  expect(settings.mcpServers).toEqual({ shop: { command: 'shop-mcp', root: '/home/ann/shop' } });
  expect(warnings).toEqual([]);
});

test('an MCP server of a project takes no name that is in use', () => {
  const mine = { ...user, mcpServers: { shop: { command: 'mine' } } };
  const theirs = { mcpServers: { shop: { command: 'theirs' }, other: { command: 'first' } } };
  const { settings, warnings } = addProjectSettings(mine, [
    project(undefined, theirs),
    project(undefined, { mcpServers: { other: { command: 'second' } } }, '/home/ann/second'),
  ]);
  expect(settings.mcpServers).toEqual({
    shop: { command: 'mine' },
    other: { command: 'first', root: '/home/ann/shop' },
  });
  expect(warnings).toEqual([
    `/home/ann/shop: MCP server "shop" ignored, because the user's configuration has one of that name`,
    '/home/ann/second: MCP server "other" ignored, because /home/ann/shop has one of that name',
  ]);
});

test('of several projects the first one chooses the model', () => {
  const { settings } = addProjectSettings(user, [
    project({}),
    project({ model: 'demo' }),
    project({ model: 'openai:x' }),
  ]);
  expect(settings.model).toBe('demo');
});
