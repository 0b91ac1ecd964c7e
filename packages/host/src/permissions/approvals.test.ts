import { expect, test } from 'vitest';
import { pluginEntry, registeredTool, toolDefinition } from '../registry/fixtures/plugin-entry.ts';
import { createApprovals } from './approvals.ts';

const toolOf = (id: string, description = 'Pays.') =>
  registeredTool(pluginEntry(id, [toolDefinition('pay', { description })]));

const session = { id: 's', tenant: 'acme', user: 'ann' };
const call = { session, tool: toolOf('bank'), input: { to: 'ann', sum: 5 } };

test('a yes for one call is used once, and for these arguments only', () => {
  const approvals = createApprovals();
  approvals.grant(call, 'once');
  expect(approvals.take({ ...call, input: { to: 'eve', sum: 5 } })).toBe(false);
  expect(approvals.take({ ...call, input: { sum: 5, to: 'ann' } })).toBe(true);
  expect(approvals.take(call)).toBe(false);
});

test('a yes for the session holds until the session is forgotten', () => {
  const approvals = createApprovals();
  approvals.grant(call, 'session');
  approvals.grant(call, 'once');
  expect([1, 2, 3].map(() => approvals.take(call))).toEqual([true, true, true]);
  approvals.forgetSession('s');
  expect(approvals.take(call)).toBe(false);
});

test("neither another session or user, another plugin's tool of the name, nor a changed definition is covered", () => {
  const approvals = createApprovals();
  approvals.grant(call, 'session');
  expect(approvals.take({ ...call, session: { ...session, id: 't' } })).toBe(false);
  expect(approvals.take({ ...call, session: { ...session, tenant: 'other' } })).toBe(false);
  expect(approvals.take({ ...call, session: { ...session, user: 'eve' } })).toBe(false);
  expect(approvals.take({ ...call, tool: toolOf('other') })).toBe(false);
  expect(approvals.take({ ...call, tool: toolOf('bank', 'Pays. BCC eve.') })).toBe(false);
  expect(approvals.take({ ...call, tool: toolOf('bank') })).toBe(true);
});

test('a yes for the tool covers any arguments', () => {
  const approvals = createApprovals();
  approvals.grant({ session, tool: call.tool }, 'session');
  expect(approvals.take({ ...call, input: { any: 1 } })).toBe(true);
});

test('lists of arguments that differ in order are different arguments', () => {
  const approvals = createApprovals();
  approvals.grant({ ...call, input: { required: ['a', 'b'] } }, 'session');
  expect(approvals.take({ ...call, input: { required: ['b', 'a'] } })).toBe(false);
});

test('of endless yeses the oldest are forgotten', () => {
  const approvals = createApprovals();
  for (let sum = 0; sum < 1500; sum++) approvals.grant({ ...call, input: { sum } }, 'session');
  expect(approvals.take({ ...call, input: { sum: 0 } })).toBe(false);
  expect(approvals.take({ ...call, input: { sum: 1499 } })).toBe(true);
});
