import type { Block, ChartBlock, FormBlock, TableBlock, TreeNode } from './blocks.ts';
import type { ContentBlock, TextContent } from './content.ts';

const MAX_ROWS = 50;
const MAX_POINTS = 60;
const MAX_NODES = 200;

/** What a model is told of a block: its data in few words, never more than it can use. `""` for nothing. */
export function blockText(block: Block): string {
  if (block.summary !== undefined) return block.summary;
  const body = bodyText(block);
  if (block.title === undefined || block.title === '') return body;
  // Behind a line of text, Markdown takes a table or a paragraph for more of it.
  const gap = block.type === 'table' || block.type === 'markdown' ? '\n\n' : '\n';
  return `${block.title}${gap}${body}`;
}

/** Whether it is tables, lists or paragraphs of Markdown, which end at an empty line. */
function isMarkdown({ type, summary }: Block): boolean {
  return summary === undefined && (type === 'table' || type === 'tree' || type === 'form' || type === 'markdown');
}

function bodyText(block: Block): string {
  switch (block.type) {
    case 'table':
      return tableText(block);
    case 'chart':
      return chartText(block);
    case 'diff':
      return block.patch.trimEnd();
    case 'form':
      return formText(block);
    case 'tree':
      return treeText(block.nodes);
    case 'markdown':
      return block.text;
  }
}

function tableText({ columns, rows }: TableBlock): string {
  const line = (cells: readonly unknown[]) => `| ${cells.map((cell) => cellText(cell)).join(' | ')} |`;
  const head = [line(columns.map(({ label }) => label)), `|${' --- |'.repeat(columns.length)}`];
  return [...head, ...rows.slice(0, MAX_ROWS).map(line), ...moreOf(rows.length, MAX_ROWS, 'rows')].join('\n');
}

function cellText(cell: unknown): string {
  return cell === null
    ? ''
    : String(cell)
        .replaceAll(/\r?\n|\r/g, ' ')
        .replaceAll('|', '\\|');
}

function chartText({ kind, labels, series, unit = '' }: ChartBlock): string {
  const value = (one: number | null | undefined) =>
    one === null || one === undefined ? 'none' : numberWithUnit(String(one), unit);
  const lines = series.map(({ name, values }) => {
    const points = labels.slice(0, MAX_POINTS).map((label, at) => `${label}: ${value(values[at])}`);
    const more = labels.length > MAX_POINTS ? `, and ${labels.length - MAX_POINTS} more` : '';
    return `${name === undefined ? '' : `${name} - `}${points.join(', ')}${more}`;
  });
  return [`(${kind} chart)`, ...lines].join('\n');
}

/** A number with its unit: a word stands apart from it, as in `3 kg`; a sign does not, as in `3%`. */
export function numberWithUnit(number: string, unit: string): string {
  return /^\p{L}/u.test(unit) ? `${number} ${unit}` : number + unit;
}

function formText({ action, fields, submit = 'Send' }: FormBlock): string {
  const lines = fields.map(({ name, label = name, kind, options, value, required = false }) => {
    const choices = options ? `: ${options.join(', ')}` : '';
    return `- ${label} (${kind}${required ? ', needed' : ''}${choices})${value === undefined ? '' : ` = ${value}`}`;
  });
  return [`(a form for the user; its button "${submit}" is the action ${action})`, ...lines].join('\n');
}

function treeText(nodes: readonly TreeNode[]): string {
  const lines: string[] = [];
  const add = (level: readonly TreeNode[], indent: string) => {
    for (const { label, detail, children } of level) {
      lines.push(`${indent}- ${label}${detail === undefined ? '' : ` - ${detail}`}`);
      if (children) add(children, `${indent}  `);
    }
  };
  add(nodes, '');
  return [...lines.slice(0, MAX_NODES), ...moreOf(lines.length, MAX_NODES, 'nodes')].join('\n');
}

function moreOf(count: number, shown: number, what: string): string[] {
  return count > shown ? [`... and ${count - shown} more ${what}`] : [];
}

/** Marks a text of a result's content as the text form of a block, which clients that draw the block leave out. */
export const BLOCK_TEXT_MARK = 'toolpost/block';

/** The content of a result as its author wrote it: without the text forms of its blocks. */
export function contentWithoutBlocks(content: readonly ContentBlock[]): ContentBlock[] {
  return content.filter((one) => !(one.type === 'text' && one._meta?.[BLOCK_TEXT_MARK] === true));
}

/**
 * The text form of blocks as content of a result, behind what the author wrote (`hasTextBefore`). Texts of a result are joined by one
 * LF: where Markdown needs an empty line between two, the second begins with another.
 */
export function blockTexts(blocks: readonly Block[], hasTextBefore = false): TextContent[] {
  const told = blocks.filter((block) => blockText(block) !== '');
  return told.map((block, at) => {
    const before = told[at - 1];
    const isApart = before ? isMarkdown(before) || isMarkdown(block) : hasTextBefore && isMarkdown(block);
    const text = `${isApart ? '\n' : ''}${blockText(block)}`;
    return { type: 'text', text, _meta: { [BLOCK_TEXT_MARK]: true } };
  });
}
