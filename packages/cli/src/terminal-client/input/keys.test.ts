import type { Key } from 'ink';
import { describe, expect, it } from 'vitest';
import { ctrl, keyOf, named, typed } from './fixtures/keys.ts';
import { keysOf } from './keys.ts';

const FLAGS = [
  ...['upArrow', 'downArrow', 'leftArrow', 'rightArrow', 'pageDown', 'pageUp', 'home', 'end', 'return', 'escape'],
  ...['ctrl', 'shift', 'tab', 'backspace', 'delete', 'meta', 'super', 'hyper', 'capsLock', 'numLock'],
];
const NO_KEY: Key = Object.fromEntries(FLAGS.map((flag) => [flag, false])) as unknown as Key;
const read = (input: string, key: Partial<Key> = {}) => keysOf(input, { ...NO_KEY, ...key });

describe('the keys of an input', () => {
  it('are read one by one, however fast they came', () => {
    expect(read('yes\rno\r')).toEqual([typed('yes'), named('enter'), typed('no'), named('enter')]);
    expect(read('a\u007f\tb\u0017\n')).toEqual([
      ...[typed('a'), named('backspace'), named('tab'), typed('b'), ctrl('w'), ctrl('j')],
    ]);
    expect(read('\r\n')).toEqual([named('enter')]);
  });

  it('keep their modifiers, and are nothing when they are let go', () => {
    expect(read('', { return: true, meta: true })).toEqual([keyOf({ name: 'enter', hasAlt: true })]);
    expect(read('', { leftArrow: true, ctrl: true })).toEqual([keyOf({ name: 'left', hasCtrl: true })]);
    expect(read('_', { ctrl: true })).toEqual([ctrl('_')]);
    expect(read('B', { meta: true, shift: true })).toEqual([keyOf({ name: 'b', hasAlt: true, hasShift: true })]);
    expect(read('a', { eventType: 'release' })).toEqual([]);
  });

  it('are the same where a terminal tells each by what stands on it', () => {
    const withCtrl = (input: string) => read(input, { ctrl: true });
    expect(['h', 'i', 'm', '['].map(withCtrl)).toEqual(
      ['backspace', 'tab', 'enter', 'escape'].map((name) => [named(name)]),
    );
    expect(['-', '/', '_'].map(withCtrl)).toEqual([[ctrl('_')], [ctrl('_')], [ctrl('_')]]);
    expect(withCtrl('с')).toEqual([ctrl('c')]);
    expect(read('', { return: true, shift: true })).toEqual([keyOf({ name: 'enter', hasShift: true })]);
  });
});
