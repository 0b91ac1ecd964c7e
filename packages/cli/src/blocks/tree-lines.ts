import type { TreeNode } from '@toolpost/protocol';
import { type Line, span } from '../terminal-client/draw/line.ts';
import { wrapLine } from '../terminal-client/draw/wrap.ts';
import { type BlockPage, shownCount } from './block-page.ts';
import { moreLines } from './more-lines.ts';

const MAX_LINES = 80;

export function treeLines(nodes: readonly TreeNode[], page: BlockPage): Line[] {
  const { theme } = page;
  const lines: Line[] = [];
  const add = (level: readonly TreeNode[], before: string, isRoot: boolean) => {
    for (const [at, { label, detail, children = [] }] of level.entries()) {
      const isLast = at === level.length - 1;
      const branch = isRoot ? '' : isLast ? '└─ ' : '├─ ';
      const more = detail === undefined ? [] : [span(`  ${detail}`, theme.faint)];
      const first = [span(before + branch, theme.faint)];
      const below = isRoot ? '' : before + (isLast ? '   ' : '│  ');
      const line: Line = [span(label), ...more];
      lines.push(
        ...(page.isExpanded
          ? wrapLine(line, { width: page.width, first, rest: [span(below, theme.faint)] })
          : [[...first, ...line]]),
      );
      add(children, below, false);
    }
  };
  add(nodes, '', true);
  const limit = shownCount(MAX_LINES, page);
  return [...lines.slice(0, limit), ...moreLines(lines.length, limit, 'nodes', page)];
}
