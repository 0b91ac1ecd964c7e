import { expect, it } from 'vitest';
import { entryLines } from './entry.ts';
import { renderLine } from './line.ts';
import { createTheme } from './theme.ts';

const rowsOf = (text: string, isExpanded: boolean) => {
  const page = { theme: createTheme(1), width: 40, now: 0, isExpanded, outputRows: 0 };
  return entryLines({ kind: 'prompt', text, from: undefined }, page).map(renderLine);
};

it('shows the beginning of a long prompt, and all of it when everything is asked for', () => {
  const paste = Array.from({ length: 60_000 }, (_, at) => `line ${at}`).join('\n');
  const rows = rowsOf(paste, false);
  expect(rows.slice(0, 2)).toEqual(['> line 0', '  line 1']);
  expect(rows.slice(-2)).toEqual([
    '  line 11',
    `  … ${(paste.length - 85).toLocaleString('en')} more characters (ctrl-o)`,
  ]);
  expect(rowsOf(paste, true)).toHaveLength(60_000);

  const line = '界'.repeat(500_000);
  const ofLine = rowsOf(line, false);
  expect(ofLine.length).toBeLessThan(30);
  expect(ofLine.at(-1)).toBe('  … 499,520 more characters (ctrl-o)');
});

it('shows a prompt whole that is only a little longer', () => {
  const prompt = Array.from({ length: 14 }, (_, at) => `${at}`).join('\n');
  expect(rowsOf(prompt, false)).toHaveLength(14);
});
