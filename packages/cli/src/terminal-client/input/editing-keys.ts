import type { Cell } from './cells.ts';
import {
  blankStart,
  deleteRange,
  type EditedText,
  insert,
  lineEnd,
  lineStart,
  replaceCells,
  wordEnd,
  wordStart,
} from './editing.ts';
import type { PressedKey } from './keys.ts';

export interface KeyEdit {
  readonly text: EditedText;
  /** What was cut, for Ctrl-Y. */
  readonly killed?: readonly Cell[];
}

/** What a key does to the text, as in a shell; undefined for a key that does nothing. */
export function editingKey(text: EditedText, key: PressedKey, killed: readonly Cell[]): KeyEdit | undefined {
  const moved = placeFor(text, key);
  if (moved !== undefined) return { text: { cells: text.cells, cursor: moved } };
  const cut = cutFor(text, key);
  if (cut !== undefined) return { text: deleteRange(text, cut, text.cursor), killed: cutCells(text, cut) };
  const { cells, cursor } = text;
  const { name, hasCtrl } = key;
  if (name === 'backspace') return { text: deleteRange(text, Math.max(0, cursor - 1), cursor) };
  if (name === 'delete' || (hasCtrl && name === 'd'))
    return { text: deleteRange(text, cursor, Math.min(cells.length, cursor + 1)) };
  if (hasCtrl && name === 'y') return { text: replaceCells(cells, { from: cursor, to: cursor }, killed) };
  if (hasCtrl && name === 'j') return { text: insert(text, '\n') };
  return undefined;
}

const BY_ALT: ReadonlyMap<string, (text: EditedText) => number> = new Map([
  ['b', wordStart],
  ['f', wordEnd],
]);
const BY_CTRL: ReadonlyMap<string, (text: EditedText) => number> = new Map([
  ['a', lineStart],
  ['e', lineEnd],
]);

/** Where the cursor goes. */
function placeFor(text: EditedText, { name, hasCtrl, hasAlt }: PressedKey): number | undefined {
  const { cells, cursor } = text;
  const isByWord = hasCtrl || hasAlt;
  if (name === 'left') return isByWord ? wordStart(text) : Math.max(0, cursor - 1);
  if (name === 'right') return isByWord ? wordEnd(text) : Math.min(cells.length, cursor + 1);
  if (name === 'home') return hasCtrl ? 0 : lineStart(text);
  if (name === 'end') return hasCtrl ? cells.length : lineEnd(text);
  if (hasAlt) return BY_ALT.get(name)?.(text);
  if (!hasCtrl) return undefined;
  if (name === 'b') return Math.max(0, cursor - 1);
  if (name === 'f') return Math.min(cells.length, cursor + 1);
  return BY_CTRL.get(name)?.(text);
}

/** From where, or up to where, the key cuts what stands beside the cursor. */
function cutFor(text: EditedText, { name, hasCtrl, hasAlt }: PressedKey): number | undefined {
  if (hasCtrl && name === 'w') return blankStart(text);
  if ((hasAlt || hasCtrl) && name === 'backspace') return wordStart(text);
  if (((hasAlt || hasCtrl) && name === 'delete') || (hasAlt && name === 'd')) return wordEnd(text);
  if (hasCtrl && name === 'u') return lineStart(text);
  // At the end of a line the line break itself, as in Emacs.
  if (hasCtrl && name === 'k')
    return lineEnd(text) === text.cursor ? Math.min(text.cells.length, text.cursor + 1) : lineEnd(text);
  return undefined;
}

function cutCells({ cells, cursor }: EditedText, at: number): readonly Cell[] {
  return cells.slice(Math.min(at, cursor), Math.max(at, cursor));
}
