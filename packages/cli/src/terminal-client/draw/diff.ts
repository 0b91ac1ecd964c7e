import { type CallRecord, type DiffRow, parseDiff, pathOfDiff } from '@toolpost/protocol';
import { highlightedLines, languageOf } from './highlight.ts';
import { cutLine, type Line, type Span, span } from './line.ts';
import type { Page } from './markdown.ts';
import { wrapLine } from './wrap.ts';

/** A change that a call has made, by its result's metadata: whichever tool it was. */
export interface Change {
  readonly path: string;
  readonly rows: readonly DiffRow[];
}

/** So many removed and so many added lines are shown where a change is folded. */
const FOLDED_ROWS = 5;

/** The change that a result tells of: the lines by their numbers, or a unified diff. */
export function changeOf({ metadata }: CallRecord, path: string): Change | undefined {
  if (!metadata) return undefined;
  const diff = typeof metadata.diff === 'string' ? metadata.diff : '';
  const rows = parseDiff(diff) ?? rowsOfLines(metadata);
  return rows && { path: pathOfDiff(diff) ?? path, rows };
}

function rowsOfLines({ start_line, old_lines, new_lines }: Record<string, unknown>): readonly DiffRow[] | undefined {
  if (typeof start_line !== 'number' || !isTexts(old_lines) || !isTexts(new_lines)) return undefined;
  return [
    ...old_lines.map((text, index) => ({ kind: 'removed' as const, before: start_line + index, text })),
    ...new_lines.map((text, index) => ({ kind: 'added' as const, after: start_line + index, text })),
  ];
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

/** How much a change is, as `+3 -2`. */
export function changeCount({ rows }: Change): string {
  const count = (kind: DiffRow['kind']) => rows.filter((row) => row.kind === kind).length;
  return `+${count('added')} -${count('removed')}`;
}

/** At most five removed and five added lines, with `…` where there are more. */
export function foldedChangeLines(change: Change, page: Page): Line[] {
  return (['removed', 'added'] as const).flatMap((kind) => {
    const rows = change.rows.filter((row) => row.kind === kind);
    const lines = cutChangeLines({ ...change, rows: rows.slice(0, FOLDED_ROWS) }, page);
    const sign = signOf(kind, page);
    return rows.length > FOLDED_ROWS ? [...lines, [span('       '), span(`${sign.text} …`, sign.paint)]] : lines;
  });
}

/** A change with one row a line: what is too long is cut. */
export function cutChangeLines(change: Change, page: Page): Line[] {
  return rowLines(change.rows, change, page).map((line) => cutLine(line, page.width));
}

/** The whole change with the lines around it. */
export function wholeChangeLines(change: Change, page: Page): Line[] {
  return rowLines(change.rows, change, page).flatMap((line) =>
    wrapLine(line.slice(1), { width: page.width, first: line.slice(0, 1), rest: [span(' '.repeat(9))] }),
  );
}

/** Each row as its number and sign, then its code in the colours of its file's language. */
function rowLines(rows: readonly DiffRow[], { path }: Change, page: Page): Line[] {
  return changedFiles(rows, path).flatMap((file) => fileLines(file, page));
}

/** The rows of each file, with the note that names it. */
function changedFiles(rows: readonly DiffRow[], path: string): readonly Change[] {
  const starts = rows.flatMap((row, at) => (at > 0 && 'isFile' in row ? [at] : []));
  return [0, ...starts].map((start, at): Change => {
    const own = rows.slice(start, starts[at]);
    const [first] = own;
    return { path: first && 'isFile' in first ? first.text : path, rows: own };
  });
}

function fileLines({ path, rows }: Change, page: Page): Line[] {
  const language = languageOf(path);
  const codeOf = (isShown: (row: DiffRow) => boolean) => {
    const lines = highlightedLines(
      rows
        .filter(isShown)
        .map(({ text }) => text.replace(/\r$/, ''))
        .join('\n'),
      language,
      page.theme,
    );
    return lines.values();
  };
  // Both sides are read as a whole, so that a comment over several lines is one on each.
  const before = codeOf(({ kind }) => kind === 'removed' || kind === 'same');
  const after = codeOf(({ kind }) => kind === 'added' || kind === 'same');
  return rows.map((row) => {
    if (row.kind === 'note') return [span('       '), span(row.text, page.theme.faint)];
    const old = row.kind === 'added' ? undefined : before.next().value;
    const now = row.kind === 'removed' ? undefined : after.next().value;
    return [rowHead(row, page), ...(now ?? old ?? [])];
  });
}

function rowHead(row: Exclude<DiffRow, { kind: 'note' }>, page: Page): Span {
  const number = `${row.kind === 'removed' ? row.before : row.after}`.padStart(6);
  const { text, paint } = signOf(row.kind, page);
  return span(`${number} ${text} `, paint);
}

function signOf(kind: 'same' | 'removed' | 'added', { theme }: Page): Span {
  if (kind === 'removed') return span('-', theme.bad);
  return kind === 'added' ? span('+', theme.good) : span(' ', theme.faint);
}
