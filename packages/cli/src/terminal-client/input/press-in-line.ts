import { cleanInput } from './clean-input.ts';
import { type EditedText, insert } from './editing.ts';
import { editingKey } from './editing-keys.ts';
import type { PressedKey } from './keys.ts';

/** What a key does to a text of one line, such as a field of a form. */
export function pressInLine(text: EditedText, key: PressedKey): EditedText {
  if (key.name === 'text') return insertInLine(text, key.text);
  const isBreak = key.hasCtrl && key.name === 'j';
  return (isBreak ? undefined : editingKey(text, key, [])?.text) ?? text;
}

/** What is pasted into one line comes in one line. */
export function insertInLine(text: EditedText, added: string): EditedText {
  return insert(text, cleanInput(added).replaceAll(/\n+/g, ' '));
}
