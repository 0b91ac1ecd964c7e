import { mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Session } from '@toolpost/protocol';
import { expect, test } from 'vitest';
import type { ApprovedCall } from '../permissions/approval-key.ts';
import { pluginEntry, registeredTool, sessionOf, toolDefinition } from '../registry/fixtures/plugin-entry.ts';
import { createKeptApprovals } from './kept-approvals.ts';

const toolOf = (id: string, { origin = 'home', description = 'Pays.', name = 'pay' } = {}) =>
  registeredTool(pluginEntry(id, [toolDefinition(name, { description })], { origin }));

const session = sessionOf({ tenant: 't', user: 'ann', roots: ['/home/ann/work'] });
const call: ApprovedCall = { session, tool: toolOf('bank'), input: { to: 'bob', sum: 5 } };
const bash = registeredTool(pluginEntry('builtin', [toolDefinition('bash')], { origin: 'builtin', scope: 'builtin' }));

function open() {
  const homeDir = mkdtempSync(join(tmpdir(), 'toolpost-kept-'));
  const dir = join(homeDir, 'approvals');
  const redact = (text: string) => text.replaceAll('sk-secret', '[redacted]');
  return { dir, open: () => createKeptApprovals(homeDir, redact), kept: createKeptApprovals(homeDir, redact) };
}

test('a kept yes covers the same call in later sessions and other hosts, until it is taken back', () => {
  const { open: again, kept } = open();
  expect(kept.covers(call)).toBe(false);
  kept.keep(call);
  const later = { ...call, session: { ...session, id: 'later', chatId: 'x', channel: 'web' } };
  expect(again().covers({ ...later, input: { sum: 5, to: 'bob' } })).toBe(true);
  const [{ id } = { id: '' }] = again().list();
  expect(again().forget(id)).toBe(true);
  expect(kept.covers(call)).toBe(false);
  expect(kept.forget(id)).toBe(false);
});

test('nothing else is covered: arguments, tool, definition, plugin, where it was found, user, tenant, roots', () => {
  const { kept } = open();
  kept.keep(call);
  const inSession = (more: Partial<Session>) => ({ ...call, session: { ...session, ...more } });
  const others: ApprovedCall[] = [
    { ...call, input: { to: 'bob', sum: 50 } },
    { ...call, input: { to: 'bob' } },
    { ...call, input: { to: 'bob', sum: '5' } },
    { ...call, tool: toolOf('bank', { name: 'pay_more' }) },
    { ...call, tool: toolOf('bank', { description: 'Pays. BCC eve.' }) },
    { ...call, tool: toolOf('other') },
    { ...call, tool: toolOf('bank', { origin: 'project' }) },
    inSession({ user: 'eve' }),
    inSession({ tenant: '' }),
    inSession({ roots: ['/home/ann/hostile'] }),
    inSession({ roots: ['/home/ann/work', '/'] }),
  ];
  expect(others.map((other) => kept.covers(other))).toEqual(others.map(() => false));
});

test('of bash the very text of the command counts, not how a model describes it', () => {
  const { kept } = open();
  kept.keep({ session, tool: bash, input: { command: 'npm test', description: 'Runs the tests.' } });
  const covers = (input: ApprovedCall['input']) => kept.covers({ session, tool: bash, input });
  expect(covers({ command: 'npm test', description: 'Tests.', timeout: 5000 })).toBe(true);
  for (const command of ['npm  test', 'npm test ', 'npm test # x', 'npm test; id', 'NPM TEST'])
    expect(covers({ command })).toBe(false);
});

test('those of one tool are told as long as they hold', () => {
  const { kept } = open();
  kept.keep(call);
  kept.keep({ ...call, tool: toolOf('bank', { name: 'pay_more' }) });
  expect(kept.of(call.tool, session)).toMatchObject([{ tool: 'pay', arguments: '{"to":"bob","sum":5}' }]);
  expect(kept.of(toolOf('bank', { description: 'Pays. BCC eve.' }), session)).toEqual([]);
  expect(kept.of(call.tool, { ...session, roots: ['/elsewhere'] })).toEqual([]);
});

test('the files are private, whole, and hold no secret', () => {
  const { dir, kept } = open();
  kept.keep({ ...call, input: { key: 'sk-secret' } });
  const [name = ''] = readdirSync(dir);
  expect(statSync(join(dir, name)).mode & 0o777).toBe(0o600);
  expect(statSync(dir).mode & 0o777).toBe(0o700);
  expect(readFileSync(join(dir, name), 'utf8')).not.toContain('sk-secret');
  expect(kept.list()).toMatchObject([{ plugin: 'bank', tool: 'pay', arguments: '{"key":"[redacted]"}', user: 'ann' }]);
  expect(kept.covers({ ...call, input: { key: 'sk-secret' } })).toBe(true);
  expect(kept.covers({ ...call, input: { key: '[redacted]' } })).toBe(false);
});

test('a file that is damaged, or was written for another call, approves nothing and can be taken away', () => {
  const { dir, kept } = open();
  kept.keep(call);
  const [name = ''] = readdirSync(dir);
  const whole = readFileSync(join(dir, name), 'utf8');
  for (const content of ['', '{"key":', 'null', '[]', '{"key":1}', whole.replace(/"key":"..../, '"key":"0000')]) {
    writeFileSync(join(dir, name), content);
    expect(kept.covers(call)).toBe(false);
    expect(kept.list()).toMatchObject([{ id: name.slice(0, -5), tool: expect.stringContaining('damaged') }]);
  }
  kept.keep(call);
  expect(kept.covers(call)).toBe(true);
  writeFileSync(join(dir, name), 'x');
  expect(kept.forget(name.slice(0, -5))).toBe(true);
  expect(kept.list()).toEqual([]);
});

test('only what is an id is taken back, whatever it spells', () => {
  const { dir, kept } = open();
  kept.keep(call);
  writeFileSync(join(dir, '..', 'config.json'), '{}');
  for (const id of ['../config', '..', '', '*', 'config.json']) expect(kept.forget(id)).toBe(false);
  expect(kept.list()).toHaveLength(1);
});
