import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Cell, cellsOf, textOf, widthOf } from './cells.ts';
import {
  deleteRange,
  type EditedText,
  EMPTY_TEXT,
  insert,
  lineEnd,
  lineStart,
  replaceCells,
  wordEnd,
  wordStart,
} from './editing.ts';
import { editingKey } from './editing-keys.ts';
import { keyOf } from './fixtures/keys.ts';
import { layOut, placeInRow, rowOfCursor } from './layout.ts';

/** Texts of what is hard to edit: marks that join, flags in pairs, families, wide characters, line breaks. */
const piece = fc.oneof(
  fc.constantFrom(
    'a',
    ' ',
    '\n',
    'é',
    '\u0301',
    '🇩',
    '🇪',
    '👩',
    '\u200d',
    '👧',
    '漢',
    '\u0e33',
    '각',
    '\u1100',
    '\u1161',
    '\t',
  ),
  fc.string({ unit: 'grapheme', maxLength: 4 }),
);
const text = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(''));
const paste = fc.record({ text: fc.constant('p\np'), lines: fc.constant(2) });
const edited = fc
  .tuple(
    fc.array(fc.oneof({ weight: 4, arbitrary: text }, { weight: 1, arbitrary: paste }), { maxLength: 4 }),
    fc.nat(60),
  )
  .map(([parts, at]): EditedText => {
    let { cells } = EMPTY_TEXT;
    for (const part of parts) ({ cells } = insert({ cells, cursor: cells.length }, part));
    return { cells, cursor: Math.min(at, cells.length) };
  });

/** What cells have to be: the clusters of their text, between the pastes. */
function clustersOf(cells: readonly Cell[]): Cell[] {
  const clusters: Cell[] = [];
  let run = '';
  for (const cell of cells)
    if (typeof cell === 'string') run += cell;
    else {
      clusters.push(...cellsOf(run), cell);
      run = '';
    }
  return [...clusters, ...cellsOf(run)];
}

function expectSound({ cells, cursor }: EditedText): void {
  expect(cells).toEqual(clustersOf(cells));
  expect(cursor).toBeGreaterThanOrEqual(0);
  expect(cursor).toBeLessThanOrEqual(cells.length);
}

const before = ({ cells, cursor }: EditedText) => textOf(cells.slice(0, cursor));

describe('the text that is being edited', () => {
  it('gets what is inserted at the cursor, in whole characters, and the cursor stands behind it', () => {
    fc.assert(
      fc.property(edited, text, (state, added) => {
        const next = insert(state, added);
        expectSound(next);
        const start = before(state) + added;
        expect(textOf(next.cells)).toBe(start + textOf(state.cells.slice(state.cursor)));
        // Behind what was inserted, or behind the character that it became a part of.
        expect(before(next).startsWith(start)).toBe(true);
        expect(before({ ...next, cursor: Math.max(0, next.cursor - 1) }).length).toBeLessThanOrEqual(start.length);
      }),
    );
  });

  it('loses exactly what is deleted', () => {
    fc.assert(
      fc.property(edited, fc.nat(60), fc.nat(60), (state, one, other) => {
        const [from = 0, to = 0] = [one, other].map((at) => Math.min(at, state.cells.length)).sort((a, b) => a - b);
        const next = deleteRange(state, one === from ? from : to, one === from ? to : from);
        expectSound(next);
        expect(textOf(next.cells)).toBe(textOf(state.cells.slice(0, from)) + textOf(state.cells.slice(to)));
      }),
    );
  });

  it('is the same again when what was put in is taken out', () => {
    fc.assert(
      fc.property(edited, (state) => {
        const folded = { text: 'x\ny', lines: 2 };
        const there = replaceCells(state.cells, { from: state.cursor, to: state.cursor }, [folded]);
        const back = deleteRange(there, there.cursor - 1, there.cursor);
        expect(textOf(back.cells)).toBe(textOf(state.cells));
        expectSound(back);
      }),
    );
  });

  it('stays sound under every key, and moves change no character', () => {
    const names = [
      'left',
      'right',
      'home',
      'end',
      'backspace',
      'delete',
      'a',
      'e',
      'b',
      'f',
      'w',
      'u',
      'k',
      'y',
      'd',
      'j',
      '_',
    ];
    const key = fc.record({ name: fc.constantFrom(...names), hasCtrl: fc.boolean(), hasAlt: fc.boolean() });
    fc.assert(
      fc.property(edited, fc.array(key, { maxLength: 20 }), (state, keys) => {
        let now = state;
        for (const given of keys) {
          const step = editingKey(now, keyOf(given), ['k', '\n']);
          if (!step) continue;
          expectSound(step.text);
          if (/^(left|right|home|end)$/.test(given.name)) expect(step.text.cells).toBe(now.cells);
          if (step.killed) expect(textOf(now.cells)).toContain(textOf(step.killed));
          now = step.text;
        }
      }),
    );
  });

  it('is left word by word, and line by line, without ever standing still inside', () => {
    fc.assert(
      fc.property(edited, (state) => {
        expect(wordStart(state)).toBeLessThanOrEqual(state.cursor);
        expect(wordEnd(state)).toBeGreaterThanOrEqual(state.cursor);
        if (state.cursor > 0) expect(wordStart(state)).toBeLessThan(state.cursor);
        if (state.cursor < state.cells.length) expect(wordEnd(state)).toBeGreaterThan(state.cursor);
        expect(state.cells.slice(lineStart(state), lineEnd(state))).not.toContain('\n');
      }),
    );
  });
});

describe('the rows of a text', () => {
  const columns = fc.integer({ min: 4, max: 40 });

  it('hold every cell once, in order, in the width that there is', () => {
    fc.assert(
      fc.property(edited, columns, ({ cells }, width) => {
        const rows = layOut(cells, width);
        let next = 0;
        for (const { from, to, isWrapped } of rows) {
          expect(from).toBe(next);
          next = isWrapped ? to : to + 1;
          const used = cells.slice(from, to).reduce((sum, cell) => sum + widthOf(cell), 0);
          expect(used <= width || to - from === 1).toBe(true);
          if (!isWrapped && to < cells.length) expect(cells[to]).toBe('\n');
        }
        expect(next).toBe(cells.length + 1);
      }),
    );
  });

  it('are gone through up and down, one at a time, to the edges', () => {
    fc.assert(
      fc.property(edited, columns, (state, width) => {
        const rows = layOut(state.cells, width);
        for (const by of [-1, 1] as const) {
          const place = placeInRow(state, width, by);
          const target = rowOfCursor(rows, state.cursor) + by;
          if (place === undefined) expect(rows[target]).toBe(undefined);
          else expect(rowOfCursor(rows, place)).toBe(target);
        }
      }),
    );
  });
});
