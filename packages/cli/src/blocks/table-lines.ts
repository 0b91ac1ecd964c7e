import type { Cell, TableBlock, TableColumn } from '@toolpost/protocol';
import { cutLine, type Line, type Paint, span, textWidth } from '../terminal-client/draw/line.ts';
import { type BlockPage, shownCount } from './block-page.ts';
import { moreLines } from './more-lines.ts';
import { alignOf, wholeTableLines } from './whole-table-lines.ts';

const BETWEEN = '  ';
const MAX_ROWS = 40;
/** A column that would get narrower than this says nothing any more: then the last ones are left out. */
const MIN_COLUMN = 6;

/** A table with one row a row: what is too long for its column is cut, columns that have no room are counted. */
export function tableLines(table: TableBlock, page: BlockPage): Line[] {
  if (page.isExpanded) return wholeTableLines(table, page);
  const { columns, rows } = table;
  const { theme } = page;
  const limit = shownCount(MAX_ROWS, page);
  const shown = rows.slice(0, limit);
  const texts = shown.map((row) => row.map(cellText));
  const count = columnsWithRoom(columns.length, page.width);
  const labels = columns.slice(0, count).map(({ label }) => span(label).text);
  const widths = columnWidths([labels, ...texts], labels.length, page.width);
  const aligned = columns.map(({ align }, at) => align ?? alignOf(shown, at));
  const draw = (cells: readonly string[], paint?: Paint): Line =>
    widths.flatMap((width, at) => {
      const gap = at === widths.length - 1 ? '' : BETWEEN;
      return [span(placedIn(cells[at] ?? '', width, aligned[at]), paint), span(gap)];
    });
  const rule = widths.map((width) => '─'.repeat(width)).join(BETWEEN);
  return [
    draw(labels, theme.strong),
    [span(rule, theme.faint)],
    ...texts.map((cells) => draw(cells)),
    ...moreLines(rows.length, limit, 'rows', page),
    ...moreLines(columns.length, count, 'columns', page),
  ];
}

function cellText(cell: Cell): string {
  return cell === null ? '' : span(String(cell)).text;
}

function columnsWithRoom(count: number, width: number): number {
  return Math.max(1, Math.min(count, Math.floor((width + BETWEEN.length) / (MIN_COLUMN + BETWEEN.length))));
}

/** As wide as what they hold; where that is too much, the widest give way first. */
function columnWidths(rows: readonly (readonly string[])[], count: number, width: number): number[] {
  const widths = Array.from({ length: count }, (_, column) =>
    Math.min(width, Math.max(1, ...rows.map((row) => textWidth(row[column] ?? '')))),
  );
  const excess = widths.reduce((sum, one) => sum + one, 0) + BETWEEN.length * (count - 1) - width;
  for (let left = excess; left > 0; left--) {
    const widest = widths.indexOf(Math.max(...widths));
    widths[widest] = Math.max(1, (widths[widest] ?? 1) - 1);
  }
  return widths;
}

function placedIn(text: string, width: number, align: TableColumn['align']): string {
  const cut = cutLine([span(text)], width)[0]?.text ?? '';
  const blank = Math.max(0, width - textWidth(cut));
  const left = align === 'right' ? blank : align === 'center' ? blank >> 1 : 0;
  return ' '.repeat(left) + cut + ' '.repeat(blank - left);
}
