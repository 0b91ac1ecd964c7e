import { expect, it } from 'vitest';
import type { CallEntry } from '../session/entries.ts';
import { interfaceOf } from './shown-interface.ts';

const UI = { mode: 'genui', param: 'code', libs: ['three', 'unknown'], surface: 'panel' } as const;
const CALL: CallEntry = {
  ...{
    kind: 'call',
    key: 1,
    toolCallId: 'c',
    name: 'draw',
    plugin: 'p',
    state: 'running',
    argumentsText: '{"code":"written"}',
  },
  ...{
    displayArg: undefined,
    startedAt: 1,
    output: { pieces: [], droppedLines: 0 },
    progress: undefined,
    approval: undefined,
    form: undefined,
  },
  ...{
    answered: undefined,
    ui: { ...UI, libs: [...UI.libs] },
    drawn: undefined,
    updatedCode: undefined,
    record: undefined,
    endedAt: undefined,
  },
};

function ended(change: { readonly metadata?: Record<string, string>; readonly isError?: boolean }): CallEntry {
  const record = {
    id: 'c',
    name: 'draw',
    plugin: 'p',
    outcome: 'completed',
    isError: false,
    content: [],
    text: '',
    durationMs: 1,
    ...change,
  };
  return { ...CALL, state: 'completed', record: record as CallEntry['record'] };
}

it('is the argument that the tool names, with what may be loaded and where it stands', () => {
  expect(interfaceOf(CALL, undefined)).toEqual({
    mode: 'genui',
    libs: ['three'],
    surface: 'panel',
    code: 'written',
    isFinal: false,
  });
  expect(interfaceOf(ended({}), undefined)).toMatchObject({ code: 'written', isFinal: true });
});

it('is what the result carries, and what an action put in its place', () => {
  const call = ended({ metadata: { ui_code: 'carried' } });
  expect(interfaceOf(call, undefined)).toMatchObject({ code: 'carried' });
  expect(interfaceOf({ ...call, updatedCode: 'newer' }, undefined)).toMatchObject({ code: 'newer' });
});

it('is what came so far while the model writes, and nothing of a call that failed', () => {
  const drawn = { mode: 'html', libs: [], surface: 'inline', code: '<p>half' };
  const writing: CallEntry = {
    ...CALL,
    ui: undefined,
    startedAt: undefined,
    state: 'writing',
    argumentsText: '{"co',
    drawn,
  };
  expect(interfaceOf(writing, undefined)).toMatchObject({ mode: 'html', code: '<p>half', isFinal: false });
  expect(interfaceOf({ ...writing, state: 'cancelled' }, undefined)).toBeUndefined();
  expect(interfaceOf(ended({ isError: true }), undefined)).toBeUndefined();
  const failed = ended({ isError: true, metadata: { ui_code: 'carried' } });
  expect(interfaceOf(failed, undefined)).toBeUndefined();
  expect(interfaceOf({ ...failed, updatedCode: 'newer' }, undefined)).toBeUndefined();
});

it('goes by what the tool says now where the call says nothing, and by the code where nobody does', () => {
  const old: CallEntry = { ...CALL, ui: undefined };
  expect(interfaceOf(old, { mode: 'chart', param: 'code' })).toMatchObject({ mode: 'chart', libs: ['echarts'] });
  expect(interfaceOf(old, { mode: 'table' })).toBeUndefined();
  expect(interfaceOf(old, { mode: 'genui', param: 'toString' })).toBeUndefined();
  const without = (code: string) =>
    interfaceOf({ ...ended({ metadata: { ui_code: code } }), ui: undefined }, undefined)?.mode;
  expect([without(' <p>x</p>'), without('export default () => null')]).toEqual(['html', 'genui']);
});
