import type { Key } from 'ink';

/** A key as the editor understands it: a name, or the text that was typed. */
export interface PressedKey {
  readonly name: string;
  readonly text: string;
  readonly hasCtrl: boolean;
  readonly hasAlt: boolean;
  readonly hasShift: boolean;
}

const NAMED = [
  ['upArrow', 'up'],
  ['downArrow', 'down'],
  ['leftArrow', 'left'],
  ['rightArrow', 'right'],
  ['pageUp', 'pageup'],
  ['pageDown', 'pagedown'],
  ['home', 'home'],
  ['end', 'end'],
  ['return', 'enter'],
  ['escape', 'escape'],
  ['tab', 'tab'],
  ['backspace', 'backspace'],
  ['delete', 'delete'],
] as const;

const CTRL_LETTER = /^[\u0001-\u001a\u001f]$/;
/** A run of text, or one control character. */
const PIECES = /\r\n|[^\u0000-\u001f\u007f]+|[\u0000-\u001f\u007f]/g;
const NO_MODIFIERS = { hasCtrl: false, hasAlt: false, hasShift: false };

/**
 * The keys of one input of Ink: keys that were typed fast, or while the program was busy, come together as one text. They
 * mean the same however they come; a paste is marked by the terminal and is none of them.
 */
export function keysOf(input: string, key: Key): PressedKey[] {
  if (key.eventType === 'release') return [];
  const modifiers = { hasCtrl: key.ctrl, hasAlt: key.meta, hasShift: key.shift };
  const named = NAMED.find(([flag]) => key[flag]);
  if (named) return [{ name: named[1], text: '', ...modifiers }];
  if (key.ctrl) return [ctrlKey(input, modifiers)];
  if (key.meta) return input === '' ? [] : [{ name: input.toLowerCase(), text: '', ...modifiers }];
  return (input.match(PIECES) ?? []).map(pieceKey);
}

/**
 * A key with Ctrl, as the keyboard protocol of kitty tells it: by what stands on it. Other terminals send for some of them
 * what another key sends, and for a letter of another alphabet what the key says in Latin.
 */
function ctrlKey(input: string, modifiers: Omit<PressedKey, 'name' | 'text'>): PressedKey {
  const at = CYRILLIC.indexOf(input);
  const letter = input !== '' && at !== -1 ? (LATIN[at] ?? input) : input;
  const name = AS_OTHER_KEY.get(letter);
  if (name !== undefined) return { name, text: '', ...NO_MODIFIERS };
  return { name: AS_UNDERSCORE.has(letter) ? '_' : letter, text: '', ...modifiers };
}

const AS_OTHER_KEY: ReadonlyMap<string, string> = new Map([
  ['h', 'backspace'],
  ['i', 'tab'],
  ['m', 'enter'],
  ['[', 'escape'],
]);
const AS_UNDERSCORE: ReadonlySet<string> = new Set(['_', '-', '/', '7']);
const CYRILLIC = 'йцукенгшщзхъфывапролджэячсмитьбю.';
const LATIN = "qwertyuiop[]asdfghjkl;'zxcvbnm,./";

function pieceKey(piece: string): PressedKey {
  const name = CONTROL_NAMES.get(piece);
  if (name !== undefined) return { name, text: '', ...NO_MODIFIERS };
  if (CTRL_LETTER.test(piece)) {
    const letter = String.fromCharCode(piece.charCodeAt(0) + (piece === '\u001f' ? 64 : 96));
    return { name: letter, text: '', ...NO_MODIFIERS, hasCtrl: true };
  }
  return { name: 'text', text: piece, ...NO_MODIFIERS };
}

const CONTROL_NAMES: ReadonlyMap<string, string> = new Map([
  ['\r', 'enter'],
  ['\r\n', 'enter'],
  ['\t', 'tab'],
  ['\u007f', 'backspace'],
  ['\b', 'backspace'],
  ['\u001b', 'escape'],
]);
