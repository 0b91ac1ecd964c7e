import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ConfigurationProperty, JsonObject } from '@toolpost/protocol';
import { describe, expect, test } from 'vitest';
import { createPluginSettings } from './plugin-settings.ts';

type Properties = Record<string, ConfigurationProperty>;

function newSettings(properties: Properties, given: JsonObject, environment: Record<string, string> = {}) {
  const homeDir = mkdtempSync(join(tmpdir(), 'toolpost-settings-'));
  const secrets: string[] = [];
  const contributes = { tools: [], hooks: [], configuration: { properties } };
  const settings = createPluginSettings({
    ...{ manifest: { id: 'p', contributes }, given, homeDir, environment: { PATH: process.env.PATH, ...environment } },
    onSecrets: (values) => void secrets.push(...values),
  });
  return { settings, secrets, homeDir };
}

const KEY: Properties = { key: { type: 'string', secret: true } };
const NODE = process.execPath;

describe('settings', () => {
  test('are the defaults, overlaid by the configuration', async () => {
    const properties = {
      unit: { type: 'string', default: 'C' },
      days: { type: 'integer', default: 3 },
      more: { type: 'array' },
    };
    const { settings } = newSettings(properties, { days: 5, undeclared: true });
    expect(settings.values).toEqual({ unit: 'C', days: 5, undeclared: true });
    await settings.resolve();
    expect(settings.values).toEqual({ unit: 'C', days: 5, undeclared: true });
  });

  test.each([
    ['string', 5],
    ['number', '5'],
    ['integer', 1.5],
    ['boolean', 'yes'],
    ['toggle', 0],
    ['array', {}],
    ['object', []],
    ['password', ['x']],
  ])('of type %s are not %j', async (type, value) => {
    const { settings } = newSettings({ it: { type } }, { it: value });
    await expect(settings.resolve()).rejects.toThrow(/^plugins\.settings\.p\.it: found .*, expected /);
  });

  test('of a type that nobody knows take every value', async () => {
    const { settings } = newSettings({ it: { type: 'colour' } }, { it: { r: 1 } });
    await settings.resolve();
    expect(settings.values).toEqual({ it: { r: 1 } });
  });

  test('that are wrong are named all at once, and a secret is not quoted', async () => {
    const properties = { a: { type: 'number' }, b: { type: 'number', secret: true } };
    const { settings } = newSettings(properties, { a: 'one', b: 'hunter2hunter2' });
    const error = await settings.resolve().catch((reason: Error) => reason);
    expect(String(error)).toMatch(/p\.a: found "one".*p\.b: found a string/);
    expect(String(error)).not.toContain('hunter2');
  });

  test('that the plugin needs have to be there', async () => {
    const { settings } = newSettings({ url: { type: 'string', required: true, description: 'where it is' } }, {});
    await expect(settings.resolve()).rejects.toThrow('plugins.settings.p.url: the plugin needs it (where it is)');
  });

  test('that the plugin does not know are named, with the one that may be meant', () => {
    expect(newSettings({ unit: { type: 'string' } }, { units: 'C' }).settings.warnings).toEqual([
      expect.stringMatching(/plugins\.settings\.p\.units: .* did you mean unit\?/),
    ]);
    expect(newSettings({}, { anything: 1 }).settings.warnings).toEqual([]);
  });

  test('keep keys that objects treat specially, and what a plugin does to them does not last', async () => {
    const given = JSON.parse('{"__proto__": {"polluted": true}, "list": [1]}') as JsonObject;
    const { settings } = newSettings({}, given);
    (settings.values.list as number[]).push(2);
    await settings.resolve();
    expect(JSON.stringify(settings.values)).toBe('{"__proto__":{"polluted":true},"list":[1]}');
    expect('polluted' in settings.values).toBe(false);
  });
});

describe('a source', () => {
  test.each<[string, unknown]>([
    ['a variable', { env: 'KEY' }],
    ['a variable, as text', 'env:KEY'],
    ['a file', { file: 'secrets/key' }],
    ['a file, as text', 'file:secrets/key'],
    ['a program', { cmd: [NODE, '-e', 'console.log("s3cret value")'] }],
    ['a program, as text', `cmd:${JSON.stringify([NODE, '-p', '"s3cret value"'])}`],
  ])('is %s, and what it gives is known to be secret', async (_title, given) => {
    const { settings, secrets, homeDir } = newSettings(KEY, { key: given }, { KEY: 's3cret value' });
    mkdirSync(join(homeDir, 'secrets'));
    writeFileSync(join(homeDir, 'secrets', 'key'), 's3cret value\n');
    expect(settings.values).toEqual({});
    await settings.resolve();
    expect(settings.values).toEqual({ key: 's3cret value' });
    expect(secrets).toEqual(['s3cret value']);
  });

  test('is read as the type that is declared', async () => {
    const properties = { port: { type: 'integer' }, on: { type: 'toggle' } };
    const { settings } = newSettings(
      properties,
      { port: { env: 'PORT' }, on: { env: 'ON' } },
      { PORT: '8080', ON: 'true' },
    );
    await settings.resolve();
    expect(settings.values).toEqual({ port: 8080, on: true });
  });

  test('is read again each time, so that a new key counts after a restart', async () => {
    const { settings, homeDir } = newSettings(KEY, { key: 'file:key' });
    for (const key of ['first', 'second']) {
      writeFileSync(join(homeDir, 'key'), key);
      await settings.resolve();
      expect(settings.values).toEqual({ key });
    }
  });

  test('as text is only meant by a secret, and as an object not by a setting that is one', async () => {
    const properties = { mode: { type: 'string' }, map: { type: 'object' } };
    const { settings } = newSettings(properties, { mode: 'env:KEY', map: { env: 'KEY' } }, { KEY: 'x' });
    await settings.resolve();
    expect(settings.values).toEqual({ mode: 'env:KEY', map: { env: 'KEY' } });
  });

  const script = (code: string) => ({ cmd: [NODE, '-e', code] });
  test.each<[unknown, RegExp]>([
    [{ env: 'MISSING' }, /the variable MISSING is not set/],
    [{ env: 'EMPTY' }, /the variable EMPTY gives an empty text/],
    [{ file: 'nowhere' }, /nowhere cannot be read: ENOENT/],
    [{ file: '.' }, /cannot be read/],
    [{ cmd: 'echo hello' }, /a command is a list/],
    ['cmd:echo hello', /a command is a list/],
    [{ cmd: [] }, /a command is a list/],
    [{ cmd: ['no-such-program-here'] }, /no-such-program-here/],
    [script('console.log("half"); console.error("not signed in"); process.exit(3)'), /ended with 3: not signed in/],
    [script('process.stdout.write("x".repeat(70000))'), /printed more than 65536 bytes/],
    [script(''), /gives an empty text/],
  ])('%j that gives nothing is an error', async (given, why) => {
    const { settings, secrets } = newSettings(KEY, { key: given }, { EMPTY: '' });
    const error = await settings.resolve().catch((reason: Error) => reason);
    expect(String(error)).toMatch(why);
    expect(String(error)).not.toContain('half');
    expect(secrets).toEqual([]);
  });

  test('gets its arguments as they are, since no shell runs it', async () => {
    const { settings } = newSettings(KEY, { key: { cmd: [NODE, '-p', 'process.argv[1]', '$HOME; `id` "quoted"'] } });
    await settings.resolve();
    expect(settings.values).toEqual({ key: '$HOME; `id` "quoted"' });
  });
});
