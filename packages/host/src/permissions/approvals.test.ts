import { expect, test } from 'vitest';
import { pluginEntry, registeredTool, sessionOf, toolDefinition } from '../registry/fixtures/plugin-entry.ts';
import { createApprovals } from './approvals.ts';

const toolOf = (id: string, description = 'Pays.') =>
  registeredTool(pluginEntry(id, [toolDefinition('pay', { description })]));

const session = sessionOf({ id: 's', tenant: 'acme', user: 'ann', roots: ['/work'] });
const call = { session, tool: toolOf('bank'), input: { to: 'ann', sum: 5 } };

test('a yes for the session holds for the same call, in whatever order its arguments stand', () => {
  const approvals = createApprovals();
  expect(approvals.covers(call)).toBe(false);
  approvals.grant(call);
  expect([1, 2].map(() => approvals.covers({ ...call, input: { sum: 5, to: 'ann' } }))).toEqual([true, true]);
  expect(approvals.covers({ ...call, input: { to: 'eve', sum: 5 } })).toBe(false);
});

test("neither another session, user or root, another plugin's tool of the name, nor a changed definition is covered", () => {
  const approvals = createApprovals();
  approvals.grant(call);
  for (const other of [{ id: 't' }, { tenant: 'other' }, { user: 'eve' }, { roots: ['/'] }])
    expect(approvals.covers({ ...call, session: { ...session, ...other } })).toBe(false);
  expect(approvals.covers({ ...call, tool: toolOf('other') })).toBe(false);
  expect(approvals.covers({ ...call, tool: toolOf('bank', 'Pays. BCC eve.') })).toBe(false);
  expect(approvals.covers({ ...call, tool: toolOf('bank') })).toBe(true);
});

test('lists of arguments that differ in order are different arguments', () => {
  const approvals = createApprovals();
  approvals.grant({ ...call, input: { required: ['a', 'b'] } });
  expect(approvals.covers({ ...call, input: { required: ['b', 'a'] } })).toBe(false);
});

test('of endless yeses the oldest are forgotten', () => {
  const approvals = createApprovals();
  for (let sum = 0; sum < 1500; sum++) approvals.grant({ ...call, input: { sum } });
  expect(approvals.covers({ ...call, input: { sum: 0 } })).toBe(false);
  expect(approvals.covers({ ...call, input: { sum: 1499 } })).toBe(true);
});
