import { type Block, type CallRecord, contentWithoutBlocks, readBlocks, textOf } from '@toolpost/protocol';
import { blockLines } from '../../blocks/block-lines.ts';
import { moreLines } from '../../blocks/more-lines.ts';
import { uiCodeLines, uiPlaceLines, uiTextLines } from '../../blocks/ui-text-lines.ts';
import { pathOfArguments } from '../transcript/arguments.ts';
import type { CallEntry } from '../transcript/entries.ts';
import type { CallPage } from './call.ts';
import { contentLines } from './content-lines.ts';
import { changeOf, foldedChangeLines, wholeChangeLines } from './diff.ts';
import { cutLine, type Line, span, textLines } from './line.ts';
import { outputLine, rowsAboveLine } from './output-line.ts';
import { wrapLine } from './wrap.ts';

/** What is not longer than this is not worth folding. */
const WHOLE_LINES = 5;
const FOLDED_LINES = 4;
/** What went wrong is shown further than what went well. */
const FAILURE_LINES = 8;
/** Of what a call draws, or of all its blocks together; each of many has as many as a chart takes. */
const DRAWN_ROWS = 24;
const MIN_BLOCK_ROWS = 10;
const ALL_DRAWN_ROWS = 60;
/** Of code that is being written: more than its last rows can hold. */
const MAX_WRITTEN_CHARS = 10_000;
const INDENT = 4;

/** What a call has come to: what it says and draws, a change, what is no text; folded unless everything is asked for. */
export function resultLines(call: CallEntry, page: CallPage): Line[] {
  const { record } = call;
  if (!record) return [];
  return [...bodyLines(call, record, page), ...contentLines(record.content, page)];
}

function bodyLines(call: CallEntry, record: CallRecord, page: CallPage): Line[] {
  if (!record.isError && isDrawn(call, record)) return drawnResult(call, record, page);
  const change = changeOf(record, pathOfArguments(call.argumentsText));
  if (change) return page.isExpanded ? wholeChangeLines(change, page) : foldedChangeLines(change, page);
  // That it was cancelled is said; the rest of those words are for the model.
  if (record.outcome === 'cancelled' && !page.isExpanded) return endOf(unsaidLines(call, record, page), call, page);
  const result = resultText(record, { ...page, hasPrinted: call.output.lines().length > 0 });
  if (!page.isExpanded) return result;
  const printed = unsaidLines(call, record, page);
  const { dropped } = call.output;
  const above = printed.length > 0 && dropped > 0 ? [rowsAboveLine(dropped, 'not kept here', page)] : [];
  return [...above, ...printed, ...result];
}

/** What was printed, where the result does not say it too: that of a call which was cut off, for one. */
function unsaidLines({ output }: CallEntry, { text }: CallRecord, page: CallPage): Line[] {
  const lines = output.lines();
  return lines.every((line) => text.includes(line.text)) ? [] : lines.map((line) => outputLine(line, page));
}

function isDrawn({ ui }: CallEntry, record: CallRecord): boolean {
  return Boolean(ui?.code) || blocksOf(record).length > 0;
}

/** By what the result holds, never by a tool's name: its own words, its text form, and where a page draws it. */
function drawnResult(call: CallEntry, record: CallRecord, page: CallPage): Line[] {
  const said = resultText({ ...record, text: textOf(contentWithoutBlocks(record.content)) }, page);
  if (!call.ui?.code) return [...said, ...folded(indented(blocksLines(blocksOf(record), page)), ALL_DRAWN_ROWS, page)];
  // Code tells a person little where there are words.
  const inner = innerPage(page);
  const code = said.length > 0 && !page.isExpanded ? [] : uiCodeLines(call.ui, inner);
  const drawn = firstRows(uiTextLines(call.ui, inner) ?? code, DRAWN_ROWS, page);
  return [...said, ...indented([...drawn, ...uiPlaceLines(inner)])];
}

/** An interface while the model writes it: its end is what is new. */
export function writtenLines({ ui }: CallEntry, page: CallPage): Line[] {
  if (!ui?.code || page.outputRows < 1) return [];
  const inner = { ...innerPage(page), isExpanded: true };
  const code = page.isExpanded ? ui.code : ui.code.slice(-MAX_WRITTEN_CHARS).toWellFormed();
  const lines = uiTextLines(ui, inner) ?? uiCodeLines({ ...ui, code }, inner);
  return indented(lines.slice(-page.outputRows));
}

/** Of each block so much that all of them have their share. */
function blocksLines(blocks: readonly Block[], page: CallPage): Line[] {
  const maxRows = Math.max(MIN_BLOCK_ROWS, Math.floor(DRAWN_ROWS / blocks.length));
  return blocks.flatMap((block, index): Line[] => {
    const lines = blockLines(block, { ...innerPage(page), maxRows });
    return [...(index > 0 ? [[]] : []), ...firstRows(lines, maxRows, page)];
  });
}

function firstRows(rows: readonly Line[], count: number, page: CallPage): Line[] {
  if (page.isExpanded || rows.length <= count + 1) return [...rows];
  return [...rows.slice(0, count), ...moreLines(rows.length, count, 'rows', page)];
}

function innerPage(page: CallPage): CallPage {
  return { ...page, width: page.width - INDENT };
}

function indented(lines: readonly Line[]): Line[] {
  return lines.map((line) => [span(' '.repeat(INDENT)), ...line]);
}

function blocksOf(record: CallRecord | undefined): readonly Block[] {
  return record?.metadata?.blocks === undefined ? [] : readBlocks(record.metadata.blocks).blocks.filter(isDrawable);
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
  if (page.isExpanded || rows.length <= count + 1) return [...rows];
  const left = rows.length - count;
  if (page.hasPrinted) return [rowsAboveLine(left, 'ctrl-o', page), ...rows.slice(-count)];
  const note = span(`… ${left.toLocaleString('en')} more rows (ctrl-o)`, page.theme.faint);
  return [...rows.slice(0, count), [bar(page), note]];
}

/** The end of what was printed, and how much stands above it. */
function endOf(rows: readonly Line[], { output: { dropped } }: CallEntry, page: CallPage): Line[] {
  if (rows.length === 0 || (rows.length <= FOLDED_LINES + 1 && dropped === 0)) return [...rows];
  const shown = rows.slice(-FOLDED_LINES);
  return [rowsAboveLine(dropped + rows.length - shown.length, 'ctrl-o', page), ...shown];
}

function inBar(lines: readonly Line[], page: CallPage): Line[] {
  return lines.flatMap((line) => wrapLine(line, { width: page.width, first: [bar(page)] }));
}

function bar({ theme }: CallPage) {
  return span('   │ ', theme.faint);
}
