import { type Cell, cellsOf, LINE_BREAK } from './cells.ts';

/** A text that is being written, and where the cursor is: before the cell of that index. Never changed, only replaced. */
export interface EditedText {
  readonly cells: readonly Cell[];
  readonly cursor: number;
}

export const EMPTY_TEXT: EditedText = { cells: [], cursor: 0 };

/** Puts text, or a paste, where the cursor is. */
export function insert({ cells, cursor }: EditedText, added: string | Cell): EditedText {
  return replaceCells(cells, { from: cursor, to: cursor }, typeof added === 'string' ? cellsOf(added) : [added]);
}

/** Deletes what stands between two places; the cursor is there then. */
export function deleteRange({ cells }: EditedText, from: number, to: number): EditedText {
  return replaceCells(cells, { from: Math.min(from, to), to: Math.max(from, to) }, []);
}

/** Puts other cells in the place of some. The cursor stands behind them. */
export function replaceCells(
  cells: readonly Cell[],
  { from, to }: { from: number; to: number },
  added: readonly Cell[],
): EditedText {
  const start = runStart(cells, from);
  const end = runEnd(cells, to);
  const before = [...cells.slice(start, from), ...added];
  const joined = joinClusters([...before, ...cells.slice(to, end)]);
  return {
    cells: [...cells.slice(0, start), ...joined, ...cells.slice(end)],
    cursor: start + countUpTo(joined, lengthOf(before)),
  };
}

/** The word before a place begins here. */
export function wordStart({ cells, cursor }: EditedText): number {
  let at = cursor;
  while (at > 0 && !isInWord(cells[at - 1])) at -= 1;
  while (at > 0 && isInWord(cells[at - 1])) at -= 1;
  return at;
}

/** The word behind a place ends here. */
export function wordEnd({ cells, cursor }: EditedText): number {
  let at = cursor;
  while (at < cells.length && !isInWord(cells[at])) at += 1;
  while (at < cells.length && isInWord(cells[at])) at += 1;
  return at;
}

/** As a shell's Ctrl-W: back to the last blank, whatever the word is made of. */
export function blankStart({ cells, cursor }: EditedText): number {
  let at = cursor;
  while (at > 0 && isBlank(cells[at - 1])) at -= 1;
  while (at > 0 && !isBlank(cells[at - 1])) at -= 1;
  return at;
}

export function lineStart({ cells, cursor }: EditedText): number {
  let at = cursor;
  while (at > 0 && cells[at - 1] !== LINE_BREAK) at -= 1;
  return at;
}

export function lineEnd({ cells, cursor }: EditedText): number {
  let at = cursor;
  while (at < cells.length && cells[at] !== LINE_BREAK) at += 1;
  return at;
}

/** A folded paste is a word of its own. */
function isInWord(cell: Cell | undefined): boolean {
  return cell !== undefined && (typeof cell !== 'string' || /[\p{L}\p{N}\p{M}_]/u.test(cell));
}

function isBlank(cell: Cell | undefined): boolean {
  return typeof cell === 'string' && /^\s+$/.test(cell);
}

/** No cluster goes over a line break or a paste: what is joined anew goes from one to the next. */
function runStart(cells: readonly Cell[], from: number): number {
  let at = from;
  while (at > 0 && isJoinable(cells[at - 1])) at -= 1;
  return at;
}

function runEnd(cells: readonly Cell[], from: number): number {
  let at = from;
  while (at < cells.length && isJoinable(cells[at])) at += 1;
  return at;
}

function isJoinable(cell: Cell | undefined): boolean {
  return typeof cell === 'string' && cell !== LINE_BREAK;
}

/** Characters that came apart, or together, by an edit, as the clusters that they are now. */
function joinClusters(cells: readonly Cell[]): Cell[] {
  const joined: Cell[] = [];
  let text = '';
  for (const cell of cells) {
    if (typeof cell === 'string') text += cell;
    else {
      joined.push(...cellsOf(text), cell);
      text = '';
    }
  }
  return [...joined, ...cellsOf(text)];
}

function lengthOf(cells: readonly Cell[]): number {
  return cells.reduce((sum, cell) => sum + (typeof cell === 'string' ? cell.length : 1), 0);
}

/** The first place in cells that is not before so many code units: inside of a cluster there is none. */
function countUpTo(cells: readonly Cell[], length: number): number {
  let count = 0;
  for (let seen = 0; seen < length && count < cells.length; count++) seen += lengthOf(cells.slice(count, count + 1));
  return count;
}
