import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { HostError } from '@toolpost/protocol';
import { beforeEach, expect, test } from 'vitest';
import { loadSettings } from './load-settings.ts';
import { SETTINGS_JSON_SCHEMA } from './settings-schema.ts';

let homeDir: string;
beforeEach(() => {
  homeDir = mkdtempSync(join(tmpdir(), 'toolpost-settings-'));
});

function load(config: unknown) {
  writeFileSync(join(homeDir, 'config.json'), typeof config === 'string' ? config : JSON.stringify(config));
  return loadSettings({ homeDir });
}

function refusal(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof HostError && error.code === 'CONFIG_INVALID') return error.message;
    throw error;
  }
  throw new Error('the configuration was accepted');
}

test('without a file every section is there and empty', () => {
  expect(loadSettings({ homeDir })).toEqual({
    settings: {
      plugins: { dirs: [], disabled: [], settings: {} },
      mcpServers: {},
      permissions: { allow: [], ask: [], deny: [] },
      toolPolicy: {},
      channels: {},
      limits: {},
      tenants: {},
    },
    warnings: [],
  });
});

test('reads every key', () => {
  const config = {
    $schema: './config.schema.json',
    model: 'openai:gpt-5',
    maxTools: 64,
    contextTokens: 32_768,
    maxSteps: 200,
    plugins: { dirs: ['/opt/plugins'], disabled: ['a'], settings: { b: { depth: 3 } } },
    mcpServers: {
      files: { command: 'npx', args: ['files'], env: { A: 'b' }, cwd: '/tmp', type: 'stdio' },
      web: { url: 'https://example.com/mcp', headers: { authorization: 'Bearer abc' }, type: 'streamable-http' },
    },
    permissions: { allow: ['read', 'bash(npm test)'], ask: [], deny: ['read(**/.env)'] },
    toolPolicy: {
      a: { hosts: ['api.example.com:443', '*.example.org', '*'], spawn: true, memoryMb: 256, env: ['NAME'] },
      '*': {},
    },
    channels: { tickets: { enabled: 'true', queue: 'support' } },
    limits: { a: { callsPerMinute: 100, callsPerDay: 1000, concurrency: 8, outputBytes: 100000 } },
    tenants: {
      acme: {
        tokens: ['env:ACME_TOKEN'],
        users: { ann: { tokens: ['env:ANN'] } },
        roots: ['/srv', { path: '/data', readOnly: true }],
        plugins: ['a'],
        permissions: {},
      },
    },
  };
  const { settings, warnings } = load(config);
  const { $schema, ...rest } = config;
  const acme = { ...rest.tenants.acme, roots: [{ path: '/srv' }, { path: '/data', readOnly: true }] };
  const web = { ...rest.mcpServers.web, type: 'http' };
  expect(settings).toEqual({ ...rest, mcpServers: { ...rest.mcpServers, web }, tenants: { acme } });
  expect(warnings).toEqual([]);
});

test('--config takes the place of the home config', () => {
  writeFileSync(join(homeDir, 'config.json'), '{"model":"demo"}');
  const configFile = join(homeDir, 'other.json');
  writeFileSync(configFile, '{}');
  expect(loadSettings({ homeDir, configFile }).settings.model).toBeUndefined();
});

test('makes paths absolute from the folder of the file, and knows ~', () => {
  const { settings } = load({ plugins: { dirs: ['more', '~/mine', '/abs'] }, tenants: { t: { roots: ['work'] } } });
  expect(settings.plugins.dirs).toEqual([join(homeDir, 'more'), join(homedir(), 'mine'), '/abs']);
  expect(settings.tenants.t?.roots).toEqual([{ path: join(homeDir, 'work') }]);
});

test('a --config file that does not exist is named', () => {
  const configFile = join(homeDir, 'nowhere.json');
  expect(refusal(() => loadSettings({ homeDir, configFile }))).toBe(
    `the configuration file ${configFile} does not exist`,
  );
});

test('a config that cannot be read is an error, not an absent one', () => {
  mkdirSync(join(homeDir, 'config.json'));
  expect(refusal(() => loadSettings({ homeDir }))).toContain('cannot be read (EISDIR)');
});

test('a file that is not JSON is named with the place', () => {
  const message = refusal(() => load('{\n  "model": \n'));
  expect(message).toBe(`${join(homeDir, 'config.json')} is not JSON at line 3, column 1: Unexpected end of JSON input`);
});

test.each([
  [{ plugins: { disabled: 5 } }, /config\.json: plugins\.disabled: found 5, expected a list/],
  [{ plugins: { disabled: ['a', 5] } }, /plugins\.disabled\[1\]: found 5/],
  [{ maxSteps: 0 }, /maxSteps: found 0, expected a whole number from 1 to 10000/],
  [{ contextTokens: 10 }, /contextTokens: found 10, expected a whole number from 1000/],
  [{ maxTools: 0 }, /maxTools: found 0, expected a whole number from 1/],
  [{ maxTools: '64' }, /maxTools: found "64", expected .* without quotes/],
  [{ mcpServers: { a: {} } }, /mcpServers\.a: needs either command or url/],
  [{ mcpServers: { a: { command: 'x', url: 'http://x' } } }, /mcpServers\.a: needs either command or url/],
  [
    { mcpServers: { a: { url: 'http://x', oauth: { clientSecret: 'x' } } } },
    /mcpServers\.a\.oauth\.clientSecret: needs a clientId/,
  ],
  [
    { mcpServers: { a: { url: 'http://x', oauth: { issuer: 'x' } } } },
    /mcpServers\.a\.oauth\.issuer: needs a clientId/,
  ],
  [{ mcpServers: { a: { command: 'x', type: 'sttdio' } } }, /mcpServers\.a\.type: .*did you mean "stdio"/],
  [{ toolPolicy: { a: { hosts: ['https://a.com'] } } }, /toolPolicy\.a\.hosts\[0\]: .*without "https:\/\/"/],
  [
    { toolPolicy: { a: { hosts: ['*.example.com/x'] } } },
    /toolPolicy\.a\.hosts\[0\]: "\*\.example\.com\/x" is no host/,
  ],
  [{ toolPolicy: { '*': { spawn: 'yes' } } }, /toolPolicy\["\*"\]\.spawn: found "yes", expected true or false/],
  [{ channels: { t: { enabled: 1 } } }, /channels\.t\.enabled: found 1, expected true or false/],
  [{ permissions: { deny: 'read' } }, /permissions\.deny: found "read", expected a list/],
  [{ permissions: { deny: ['read', 'read(**/.env'] } }, /permissions\.deny\[1\]: the rule .*closing parenthesis/],
  [{ tenants: { t: { permissions: { ask: ['read()'] } } } }, /tenants\.t\.permissions\.ask\[0\]: the rule/],
  [{ tenants: { t: { roots: [5] } } }, /tenants\.t\.roots\[0\]: found 5, expected a directory in quotes/],
  [{ tenants: { t: { roots: [{ readOnly: true }] } } }, /tenants\.t\.roots\[0\]\.path: missing/],
  [[], /config\.json: the whole: found a list, expected an object/],
])('a bad value is an error with the file and the path: %j', (config, message) => {
  expect(refusal(() => load(config))).toMatch(message);
});

test.each([
  { tenants: { acme: { tokens: 'tok-12345' } } },
  { mcpServers: { a: { command: 'x', headers: 'Bearer tok-12345' } } },
  { mcpServers: { a: { command: 'x', env: ['KEY=tok-12345'] } } },
  { mcpServers: [{ command: 'x', env: { KEY: 'tok-12345' } }] },
  { plugins: { settings: { a: 'tok-12345' } } },
])('a secret in the wrong place is not shown: %j', (config) => {
  expect(refusal(() => load(config))).not.toContain('tok-');
});

test('an unknown key is a warning that names the file, the key and the one that was meant', () => {
  const file = join(homeDir, 'config.json');
  expect(load({ colourScheme: 'red', plugins: { dissabled: [] } }).warnings).toEqual([
    `${file}: colourScheme: unknown key, ignored`,
    `${file}: plugins.dissabled: unknown key, ignored (did you mean "disabled"?)`,
  ]);
});

test('an MCP server that could not name a file or a tool is left out with a warning', () => {
  const { settings, warnings } = load(
    '{"mcpServers":{"../x":{"command":"a"},"__proto__":{"command":"a"},"ok":{"command":"a"}}}',
  );
  expect(Object.keys(settings.mcpServers)).toEqual(['ok']);
  expect(warnings).toHaveLength(2);
});

test('the shipped JSON Schema is that of the settings', () => {
  const shipped = readFileSync(new URL('../../../../docs/config.schema.json', import.meta.url), 'utf8');
  expect(JSON.parse(shipped)).toEqual(JSON.parse(JSON.stringify(SETTINGS_JSON_SCHEMA)));
});

test('the reference names every key', () => {
  const page = readFileSync(new URL('../../../../docs/configuration.md', import.meta.url), 'utf8');
  const missing = keysIn(SETTINGS_JSON_SCHEMA).filter(
    (key) => !page.includes(`\`${key}\``) && !page.includes(`.${key}\``),
  );
  expect(missing).toEqual([]);
});

/** The keys of a JSON Schema, as deep as they go. */
function keysIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { properties = {}, additionalProperties, items } = schema as Record<string, object>;
  return [
    ...Object.entries(properties).flatMap(([key, value]) => [key, ...keysIn(value)]),
    ...keysIn(additionalProperties),
    ...keysIn(items),
  ];
}
