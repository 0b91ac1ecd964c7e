import type { Ask } from '@toolpost/host';
import { choicesOf, describeField, type FieldAnswer, type FormField, readField } from '../../form-field.ts';
import { textOf } from '../input/cells.ts';
import { type EditedText, EMPTY_TEXT } from '../input/editing.ts';
import type { PressedKey } from '../input/keys.ts';
import { pressInLine } from '../input/press-in-line.ts';

type FormAnswer = Awaited<ReturnType<Ask>>;

/** Where a person is with a form. */
export interface FormState {
  /** The field that is asked now. */
  readonly at: number;
  /** What is typed for it. */
  readonly text: EditedText;
  /** What is picked for it, where there is a choice. */
  readonly chosen: number;
  /** Why what was given cannot be taken. */
  readonly problem: string | undefined;
  /** What was given for the fields before, as it was typed or picked. */
  readonly said: readonly string[];
}

/** Another state, the answer, or that the turn is cancelled. */
export type FormStep = FormState | FormAnswer | 'interrupt';

/** A form without fields is a question to say yes or no to. */
export const YES_OR_NO = [
  { label: 'Yes', letter: 'y' },
  { label: 'No', letter: 'n' },
] as const;

export function firstFormState(fields: readonly FormField[]): FormState {
  return { ...{ at: 0, text: EMPTY_TEXT, problem: undefined, said: [] }, chosen: usualChoice(fields[0]) };
}

export function pressForm(state: FormState, key: PressedKey, fields: readonly FormField[]): FormStep {
  const { name, hasCtrl, hasShift } = key;
  if (hasCtrl && name === 'c') return 'interrupt';
  if (name === 'escape') return { action: 'cancel' };
  if (hasCtrl && name === 'd' && state.text.cells.length === 0) return { action: 'decline' };
  const field = fields[state.at];
  if (!field) return pressYesOrNo(state, key);
  if ((name === 'tab' && hasShift) || (name === 'up' && !choicesOf(field))) return goBack(state, fields);
  const choices = choicesOf(field);
  if (name === 'enter' || (name === 'tab' && !choices)) {
    return give(state, field, {
      fields,
      said: choices ? (choices[state.chosen]?.said ?? '') : textOf(state.text.cells),
    });
  }
  if (!choices) return { ...state, text: pressInLine(state.text, key), problem: undefined };
  return { ...state, chosen: chosenAfter(state.chosen, key, choices), problem: undefined };
}

function chosenAfter(chosen: number, key: PressedKey, choices: readonly { readonly label: string }[]): number {
  const by = key.name === 'up' ? -1 : key.name === 'down' || key.name === 'tab' ? 1 : 0;
  if (by !== 0) return (chosen + by + choices.length) % choices.length;
  if (key.name !== 'text') return chosen;
  // The first letters pick, from the one behind the chosen on.
  const order = choices.map((_, index) => (chosen + 1 + index) % choices.length);
  const typed = key.text.toLowerCase();
  return order.find((index) => choices[index]?.label.toLowerCase().startsWith(typed)) ?? chosen;
}

function pressYesOrNo(state: FormState, { name, text }: PressedKey): FormStep {
  const byLetter = YES_OR_NO.findIndex(({ letter }) => letter === text.toLowerCase());
  if (name === 'up' || name === 'down' || name === 'tab') return { ...state, chosen: 1 - state.chosen };
  const taken = name === 'enter' ? state.chosen : byLetter;
  if (taken === -1) return state;
  return taken === 0 ? { action: 'accept', content: {} } : { action: 'decline' };
}

/** The next field, the whole answer behind the last one, or why what was said does not fit. */
function give(
  state: FormState,
  field: FormField,
  { fields, said }: { fields: readonly FormField[]; said: string },
): FormStep {
  const read = readField(field, said);
  if (read && 'problem' in read) return { ...state, problem: read.problem };
  const given = [...state.said.slice(0, state.at), said];
  if (given.length === fields.length) return { action: 'accept', content: contentOf(fields, given) };
  return stateAt(state.at + 1, { ...state, said: [...given, ...state.said.slice(given.length)] }, fields);
}

function goBack(state: FormState, fields: readonly FormField[]): FormState {
  return state.at === 0 ? state : stateAt(state.at - 1, state, fields);
}

/** With what was given for the field already, when one comes back to it. */
function stateAt(at: number, { said }: FormState, fields: readonly FormField[]): FormState {
  const field = fields[at];
  const before = said[at];
  const picked = field && before !== undefined ? choicesOf(field)?.findIndex((one) => one.said === before) : undefined;
  const text = before === undefined ? EMPTY_TEXT : pressInLine(EMPTY_TEXT, { ...TYPED, text: before });
  return {
    at,
    said,
    problem: undefined,
    text,
    chosen: picked === undefined || picked < 0 ? usualChoice(field) : picked,
  };
}

const TYPED: PressedKey = { name: 'text', text: '', hasCtrl: false, hasAlt: false, hasShift: false };

function usualChoice(field: FormField | undefined): number {
  const usual = field && describeField(field).usual;
  return field
    ? Math.max(0, choicesOf(field)?.findIndex(({ label }) => label === usual || label === BOOLEAN[usual ?? '']) ?? 0)
    : 0;
}

const BOOLEAN: Readonly<Record<string, string>> = { true: 'yes', false: 'no' };

function contentOf(fields: readonly FormField[], said: readonly string[]): Record<string, unknown> {
  const entries = fields.flatMap((field, index) => {
    const read: FieldAnswer = readField(field, said[index] ?? '');
    return read && 'value' in read ? [[field.name, read.value] as const] : [];
  });
  return Object.fromEntries(entries);
}
