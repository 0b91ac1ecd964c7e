import { type Block, type CallRecord, contentWithoutBlocks, readBlocks, textOf } from '@toolpost/protocol';
import { blockLines } from '../../blocks/block-lines.ts';
import { uiTextLines } from '../../blocks/ui-text-lines.ts';
import { pathOfArguments } from '../transcript/arguments.ts';
import type { CallEntry } from '../transcript/entries.ts';
import type { CallPage } from './call.ts';
import { changeOf, foldedChangeLines, wholeChangeLines } from './diff.ts';
import { cutLine, type Line, span, textLines } from './line.ts';
import { outputLine } from './output-line.ts';
import { wrapLine } from './wrap.ts';

/** What is not longer than this is not worth folding. */
const WHOLE_LINES = 5;
const FOLDED_LINES = 4;
/** What went wrong is shown further than what went well. */
const FAILURE_LINES = 8;
/** Of what a call draws. */
const DRAWN_ROWS = 24;
const INDENT = 4;

/** What a call has come to: what it draws, a change, or its text; folded unless everything is asked for. */
export function resultLines(call: CallEntry, page: CallPage): Line[] {
  const { record } = call;
  if (!record) return [];
  const drawn = record.isError ? [] : drawnLines(call, record, page);
  if (drawn.length > 0) {
    const said = call.ui?.code
      ? []
      : resultText({ ...record, text: textOf(contentWithoutBlocks(record.content)) }, page);
    return [...said, ...(page.isExpanded ? drawn : folded(drawn, DRAWN_ROWS, page))];
  }
  const change = changeOf(record, pathOfArguments(call.argumentsText));
  if (change) return page.isExpanded ? wholeChangeLines(change, page) : foldedChangeLines(change, page);
  const printed = unsaidLines(call, record, page);
  // That it was cancelled is said; the rest of those words are for the model.
  if (record.outcome === 'cancelled' && !page.isExpanded)
    return folded(printed, FOLDED_LINES, { ...page, hasPrinted: true });
  const result = resultText(record, { ...page, hasPrinted: call.output.lines().length > 0 });
  return page.isExpanded ? [...printed, ...result] : result;
}

/** What was printed, where the result does not say it too: that of a call which was cut off, for one. */
function unsaidLines({ output }: CallEntry, { text }: CallRecord, page: CallPage): Line[] {
  const lines = output.lines();
  return lines.every((line) => text.includes(line.text)) ? [] : lines.map((line) => outputLine(line, page));
}

/** An interface, or blocks, as a terminal can show them. By what the result holds, never by a tool's name. */
export function drawnLines({ ui }: CallEntry, record: CallRecord | undefined, page: CallPage): Line[] {
  const inner = { ...page, width: page.width - INDENT };
  const blocks =
    record?.metadata?.blocks === undefined ? [] : readBlocks(record.metadata.blocks).blocks.filter(isDrawable);
  const lines = ui?.code
    ? uiTextLines({ ...ui, url: page.pageUrl, isOpen: record === undefined }, inner)
    : blocks.flatMap((block, index): Line[] => [...(index > 0 ? [[]] : []), ...blockLines(block, inner)]);
  return lines.map((line) => [span(' '.repeat(INDENT)), ...line]);
}

function isDrawable(block: ReturnType<typeof readBlocks>['blocks'][number]): block is Block {
  return block.type !== 'diff' || 'patch' in block;
}

function resultText({ text, isError }: CallRecord, page: CallPage & { hasPrinted?: boolean }): Line[] {
  const lines = textLines(text.trimEnd());
  if (lines.length === 1 && lines[0]?.[0]?.text.trim() === '') return [];
  if (page.isExpanded) return inBar(lines, page);
  if (isError) return folded(inBar(lines, page), FAILURE_LINES, page);
  const rows = lines.map((line) => cutLine([bar(page), ...line], page.width));
  return rows.length <= WHOLE_LINES ? rows : folded(rows, FOLDED_LINES, page);
}

/** What was printed says at its end how it went; everything else begins with what it is. */
function folded(rows: readonly Line[], count: number, page: CallPage & { hasPrinted?: boolean }): Line[] {
  if (rows.length <= count + 1) return [...rows];
  const note = (where: string): Line => [
    bar(page),
    span(`… ${rows.length - count} ${where} (ctrl-o)`, page.theme.faint),
  ];
  return page.hasPrinted ? [note('rows above'), ...rows.slice(-count)] : [...rows.slice(0, count), note('more rows')];
}

function inBar(lines: readonly Line[], page: CallPage): Line[] {
  return lines.flatMap((line) => wrapLine(line, { width: page.width, first: [bar(page)] }));
}

function bar({ theme }: CallPage) {
  return span('   │ ', theme.faint);
}
