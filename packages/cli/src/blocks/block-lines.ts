import { type Block, parseDiff } from '@toolpost/protocol';
import { cutLine, type Line, span } from '../terminal-client/draw/line.ts';
import { markdownLines, type Page } from '../terminal-client/draw/markdown.ts';
import { wrapLine } from '../terminal-client/draw/wrap.ts';
import { barLines } from './bar-lines.ts';
import { formLines } from './form-lines.ts';
import { moreLines } from './more-lines.ts';
import { plotLines } from './plot-lines.ts';
import { sparkLines } from './spark-lines.ts';
import { tableLines } from './table-lines.ts';
import { treeLines } from './tree-lines.ts';

const MAX_DIFF_LINES = 60;

/** A block as rows of the terminal, none wider than the page; whatever its texts hold is characters of one row. */
export function blockLines(block: Block, page: Page): Line[] {
  const { title } = block;
  const head = title === undefined || title === '' ? [] : wrapLine([span(title, page.theme.strong)], page);
  // The last word on the width: a label may be wider than any column that was planned for it.
  return [...head, ...bodyLines(block, page)].map((line) => cutLine(line, page.width));
}

function bodyLines(block: Block, page: Page): Line[] {
  switch (block.type) {
    case 'table':
      return tableLines(block, page);
    case 'chart':
      if (block.kind === 'spark') return sparkLines(block, page);
      return block.kind === 'line' || block.kind === 'area' ? plotLines(block, page) : barLines(block, page);
    case 'diff':
      return diffLines(block.patch, block.path, page);
    case 'form':
      return formLines(block, page);
    case 'tree':
      return treeLines(block.nodes, page);
    case 'markdown':
      return markdownLines(block.text, page);
  }
}

function diffLines(patch: string, path: string | undefined, page: Page): Line[] {
  const { theme } = page;
  const head: Line[] = path === undefined ? [] : [[span(path, theme.faint)]];
  const rows = parseDiff(patch);
  if (!rows)
    return [
      ...head,
      ...patch
        .split('\n')
        .slice(0, MAX_DIFF_LINES)
        .map((line) => [span(line)]),
    ];
  const lines = rows.slice(0, MAX_DIFF_LINES).map((row): Line => {
    if (row.kind === 'added') return [span(`+ ${row.text}`, theme.good)];
    if (row.kind === 'removed') return [span(`- ${row.text}`, theme.bad)];
    return [span(`  ${row.text}`, row.kind === 'note' ? theme.faint : undefined)];
  });
  return [...head, ...lines, ...moreLines(rows.length, MAX_DIFF_LINES, 'lines', page)];
}
