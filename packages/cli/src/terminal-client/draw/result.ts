import type { CallEntry } from '../transcript/entries.ts';
import type { CallPage } from './call.ts';
import { changeOf, foldedChangeLines, pathOfArguments, wholeChangeLines } from './diff.ts';
import { cutLine, type Line, span, textLines } from './line.ts';
import { wrapLine } from './wrap.ts';

/** What is not longer than this is not worth folding. */
const WHOLE_LINES = 5;
const FOLDED_LINES = 4;
/** What went wrong is shown further than what went well. */
const FAILURE_LINES = 8;

/** What a call has come to: a change, or its text, folded unless everything is asked for. */
export function resultLines(call: CallEntry, page: CallPage): Line[] {
  const { record } = call;
  if (!record) return [];
  const change = changeOf(record, pathOfArguments(call.argumentsText));
  if (change) return page.isExpanded ? wholeChangeLines(change, page) : foldedChangeLines(change, page);
  const lines = textLines(record.text.trimEnd());
  if (lines.length === 1 && lines[0]?.[0]?.text.trim() === '') return [];
  if (page.isExpanded) return inBar(lines, page);
  if (record.isError) return folded(inBar(lines, page), FAILURE_LINES, page);
  if (lines.length <= WHOLE_LINES) return short(lines, page);
  // What was printed says at its end how it went; what was fetched begins with what it is.
  const hasPrinted = call.output.lines().length > 0;
  const shown = hasPrinted ? lines.slice(-FOLDED_LINES) : lines.slice(0, FOLDED_LINES);
  const note = noteLine(`… ${lines.length - FOLDED_LINES} ${hasPrinted ? 'lines above' : 'more lines'} (ctrl-o)`, page);
  return hasPrinted ? [note, ...short(shown, page)] : [...short(shown, page), note];
}

function folded(rows: readonly Line[], count: number, page: CallPage): Line[] {
  if (rows.length <= count + 1) return [...rows];
  return [...rows.slice(0, count), noteLine(`… ${rows.length - count} more lines (ctrl-o)`, page)];
}

function inBar(lines: readonly Line[], { width, theme }: CallPage): Line[] {
  return lines.flatMap((line) => wrapLine(line, { width, first: [span('   │ ', theme.faint)] }));
}

function short(lines: readonly Line[], { width, theme }: CallPage): Line[] {
  return lines.map((line) => cutLine([span('   │ ', theme.faint), ...line], width));
}

function noteLine(text: string, { theme }: CallPage): Line {
  return [span('   │ ', theme.faint), span(text, theme.faint)];
}
