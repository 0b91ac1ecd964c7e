import type { TreeNode } from '@toolpost/protocol';
import { type Line, span } from '../terminal-client/draw/line.ts';
import type { Page } from '../terminal-client/draw/markdown.ts';
import { moreLines } from './more-lines.ts';

const MAX_LINES = 80;

export function treeLines(nodes: readonly TreeNode[], page: Page): Line[] {
  const { theme } = page;
  const lines: Line[] = [];
  const add = (level: readonly TreeNode[], before: string, isRoot: boolean) => {
    for (const [at, { label, detail, children = [] }] of level.entries()) {
      const isLast = at === level.length - 1;
      const branch = isRoot ? '' : isLast ? '└─ ' : '├─ ';
      const more = detail === undefined ? [] : [span(`  ${detail}`, theme.faint)];
      lines.push([span(before + branch, theme.faint), span(label), ...more]);
      add(children, isRoot ? '' : before + (isLast ? '   ' : '│  '), false);
    }
  };
  add(nodes, '', true);
  return [...lines.slice(0, MAX_LINES), ...moreLines(lines.length, MAX_LINES, 'nodes', page)];
}
