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
const PIECES = /[^\u0000-\u001f\u007f]+|[\u0000-\u001f\u007f]/g;

/**
 * The keys of one input of Ink: keys that were typed fast, or while the program was busy, come together as one text. A line
 * break in its middle is one of a paste from a terminal that does not mark pastes; that at its end is Enter.
 */
export function keysOf(input: string, key: Key): PressedKey[] {
  if (key.eventType === 'release') return [];
  const modifiers = { hasCtrl: key.ctrl, hasAlt: key.meta, hasShift: key.shift };
  const named = NAMED.find(([flag]) => key[flag]);
  if (named) return [{ name: named[1], text: '', ...modifiers }];
  if (key.ctrl) return [{ name: input, text: '', ...modifiers }];
  if (key.meta) return input === '' ? [] : [{ name: input.toLowerCase(), text: '', ...modifiers }];
  const pieces = input.match(PIECES) ?? [];
  return pieces.map((piece, at) => pieceKey(piece, { isLast: at === pieces.length - 1, isAlone: pieces.length === 1 }));
}

const NO_MODIFIERS = { hasCtrl: false, hasAlt: false, hasShift: false };

function pieceKey(piece: string, { isLast, isAlone }: { isLast: boolean; isAlone: boolean }): PressedKey {
  if (piece === '\r' || piece === '\n') {
    // LF alone is Ctrl-J: a line break.
    if (piece === '\r' && isLast) return { name: 'enter', text: '', ...NO_MODIFIERS };
    return { name: 'text', text: '\n', ...NO_MODIFIERS };
  }
  if (piece === '\t') return isAlone ? { name: 'tab', text: '', ...NO_MODIFIERS } : textKey('\t');
  if (piece === '\u007f' || piece === '\b') return { name: 'backspace', text: '', ...NO_MODIFIERS };
  if (CTRL_LETTER.test(piece)) {
    const name = String.fromCharCode(piece.charCodeAt(0) + (piece === '\u001f' ? 64 : 96));
    return { name, text: '', ...NO_MODIFIERS, hasCtrl: true };
  }
  return textKey(piece);
}

function textKey(text: string): PressedKey {
  return { name: 'text', text, ...NO_MODIFIERS };
}
