import { describe, expect, it } from 'vitest';
import { fieldsOf } from '../../form-field.ts';
import { ctrl, keyOf, named, typed } from '../input/fixtures/keys.ts';
import type { PressedKey } from '../input/keys.ts';
import { type FormState, type FormStep, firstFormState, pressForm } from './form-state.ts';

const FIELDS = fieldsOf({
  properties: {
    nick: { type: 'string', minLength: 2 },
    age: { type: 'integer', minimum: 1 },
    colour: { enum: ['red', 'blue', 'brown'], default: 'blue' },
    sure: { type: 'boolean' },
    later: { type: 'boolean' },
  },
  required: ['nick', 'sure'],
});
const enter = named('enter');
const BACK = keyOf({ name: 'tab', hasShift: true });

/** What comes of keys, up to the answer. */
function fill(keys: readonly PressedKey[], fields = FIELDS): FormStep {
  let step: FormStep = firstFormState(fields);
  for (const key of keys) {
    if (step === 'interrupt' || 'action' in step) throw new Error('there are keys behind the answer');
    step = pressForm(step, key, fields);
  }
  return step;
}

const stateAfter = (keys: readonly PressedKey[]) => fill(keys) as FormState;
const TO_COLOUR = [typed('Ann'), enter, typed('7'), enter];

describe('a form', () => {
  it('asks a field at a time, takes defaults and nothing, and is one answer', () => {
    expect(fill([...TO_COLOUR, enter, enter, enter])).toEqual({
      action: 'accept',
      content: { nick: 'Ann', age: 7, colour: 'blue', sure: true, later: true },
    });
    const left = [typed('Ann'), enter, enter, named('up'), enter, named('down'), enter, named('up'), enter];
    expect(fill(left)).toEqual({ action: 'accept', content: { nick: 'Ann', colour: 'red', sure: false } });
  });

  it('says why an answer does not fit, and asks again', () => {
    expect(stateAfter([enter])).toMatchObject({ at: 0, problem: 'it is required' });
    expect(stateAfter([typed('A'), enter])).toMatchObject({ at: 0, problem: 'it is shorter than 2' });
    expect(stateAfter([typed('Ann'), enter, typed('0'), enter])).toMatchObject({ at: 1, problem: 'it is less than 1' });
    expect(stateAfter([typed('A'), enter, typed('n')])).toMatchObject({ at: 0, problem: undefined });
    expect(stateAfter([typed('A'), enter, typed('n'), enter])).toMatchObject({ at: 1 });
  });

  it('picks by arrows, round the list, and by first letters', () => {
    const chosenAfter = (...keys: PressedKey[]) => stateAfter([...TO_COLOUR, ...keys]).chosen;
    expect(chosenAfter()).toBe(1);
    expect(chosenAfter(named('down'))).toBe(2);
    expect(chosenAfter(named('down'), named('down'))).toBe(0);
    expect([chosenAfter(typed('b')), chosenAfter(typed('b'), typed('b')), chosenAfter(typed('R'))]).toEqual([2, 1, 0]);
    expect(chosenAfter(typed('x'))).toBe(1);
  });

  it('goes back to a field with what was given for it, and on with what was given behind it', () => {
    const back = stateAfter([...TO_COLOUR, named('down'), enter, BACK]);
    expect([back.at, back.chosen]).toEqual([2, 2]);
    const first = stateAfter([typed('Ann'), enter, typed('7'), enter, BACK, BACK]);
    expect([first.at, first.text.cells.join('')]).toEqual([0, 'Ann']);
    const changed = [...TO_COLOUR, BACK, BACK, typed('e'), enter, enter, enter, enter, enter];
    expect(fill(changed)).toMatchObject({ content: { nick: 'Anne', age: 7 } });
    expect(stateAfter([BACK]).at).toBe(0);
  });

  it('is declined with Ctrl-D, cancelled with Esc, and Ctrl-C is the turn\u2019s', () => {
    expect(fill([ctrl('d')])).toEqual({ action: 'decline' });
    expect(fill([named('escape')])).toEqual({ action: 'cancel' });
    expect(fill([ctrl('c')])).toBe('interrupt');
    expect(stateAfter([typed('ab'), named('left'), ctrl('d')]).text.cells).toEqual(['a']);
  });

  it('without fields is a yes or a no', () => {
    const accepted = { action: 'accept', content: {} };
    expect(fill([enter], [])).toEqual(accepted);
    expect(fill([typed('y')], [])).toEqual(accepted);
    expect(fill([typed('N')], [])).toEqual({ action: 'decline' });
    expect(fill([named('down'), enter], [])).toEqual({ action: 'decline' });
    expect(fill([typed('x')], [])).toMatchObject({ chosen: 0 });
  });
});
