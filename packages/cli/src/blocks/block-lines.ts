import { type Block, type ChartBlock, type DiffBlock, parseDiff, pathOfDiff } from '@toolpost/protocol';
import { cutChangeLines, wholeChangeLines } from '../terminal-client/draw/diff.ts';
import { cutLine, type Line, span, textLines } from '../terminal-client/draw/line.ts';
import { markdownLines } from '../terminal-client/draw/markdown.ts';
import { wrapLine } from '../terminal-client/draw/wrap.ts';
import { barLines } from './bar-lines.ts';
import { type BlockPage, shownCount } from './block-page.ts';
import { formLines } from './form-lines.ts';
import { moreLines } from './more-lines.ts';
import { plotLines } from './plot-lines.ts';
import { sparkLines } from './spark-lines.ts';
import { tableLines } from './table-lines.ts';
import { treeLines } from './tree-lines.ts';
import { chartTable } from './whole-table-lines.ts';

const MAX_DIFF_LINES = 60;

/** A block as rows of the terminal, none wider than the page; whatever its texts hold is characters of one row. */
export function blockLines(block: Block, page: BlockPage): Line[] {
  const { title } = block;
  const head = title === undefined || title === '' ? [] : wrapLine([span(title, page.theme.strong)], page);
  // The last word on the width: a label may be wider than any column that was planned for it.
  return [...head, ...bodyLines(block, page)].flatMap((line) =>
    page.isExpanded ? wrapLine(line, page) : [cutLine(line, page.width)],
  );
}

function bodyLines(block: Block, page: BlockPage): Line[] {
  switch (block.type) {
    case 'table':
      return tableLines(block, page);
    case 'chart':
      return page.isExpanded
        ? [...chartLines(block, page), [], ...tableLines(chartTable(block), page)]
        : chartLines(block, page);
    case 'diff':
      return diffLines(block, page);
    case 'form':
      return formLines(block, page);
    case 'tree':
      return treeLines(block.nodes, page);
    case 'markdown':
      return markdownLines(block.text, page);
  }
}

function chartLines(chart: ChartBlock, page: BlockPage): Line[] {
  if (chart.kind === 'spark') return sparkLines(chart, page);
  return chart.kind === 'line' || chart.kind === 'area' ? plotLines(chart, page) : barLines(chart, page);
}

function diffLines({ patch, path }: DiffBlock, page: BlockPage): Line[] {
  const head: Line[] = path === undefined ? [] : [[span(path, page.theme.faint)]];
  const rows = parseDiff(patch);
  const limit = shownCount(MAX_DIFF_LINES, page);
  if (!rows) {
    const lines = textLines(patch);
    return [...head, ...lines.slice(0, limit), ...moreLines(lines.length, limit, 'lines', page)];
  }
  const change = { path: path ?? pathOfDiff(patch) ?? '', rows: rows.slice(0, limit) };
  const shown = page.isExpanded ? wholeChangeLines(change, page) : cutChangeLines(change, page);
  return [...head, ...shown, ...moreLines(rows.length, limit, 'lines', page)];
}
