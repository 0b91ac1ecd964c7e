import { shortArgument } from '../../call-heading.ts';
import { type CallEntry, isEnded } from '../transcript/entries.ts';
import { stateSpans } from './call-state.ts';
import { changeCount, changeOf } from './diff.ts';
import { cutLine, type Line, lineWidth, span, textLines } from './line.ts';
import type { Page } from './markdown.ts';
import { outputLine, rowsAboveLine } from './output-line.ts';
import { resultLines, writtenLines } from './result.ts';
import { wrapLines } from './wrap.ts';

export interface CallPage extends Page {
  /** Ms since 1970: what runs shows for how long. */
  readonly now: number;
  /** Whether everything is shown, however long. */
  readonly isExpanded: boolean;
  /** So many lines of what a running call prints. */
  readonly outputRows: number;
  /** Where browsers show the session; undefined where no server holds it. */
  readonly pageUrl?: string | undefined;
}

export const OUTPUT_ROWS = 8;
const BAR_COLUMNS = 20;
const NARROWEST_ARGUMENT = 12;
const ARGUMENT_INDENT = 5;

/** A call: what is called, how it is doing, and below that what it prints or has come to. */
export function callLines(call: CallEntry, page: CallPage): Line[] {
  const heading = headingLine(call, page);
  const below = isEnded(call) ? resultLines(call, page) : runningLines(call, page);
  return [heading, ...(page.isExpanded ? argumentLines(call, heading, page) : []), ...below];
}

/** The argument that the heading has no room for. */
function argumentLines(call: CallEntry, heading: Line, { theme, width }: CallPage): Line[] {
  const argument = argumentOf(call);
  const lines = textLines(argument, theme.faint);
  if (shortArgument(argument) === '') return [];
  const isShown = lines.length === 1 && heading.some(({ text }) => text.trim() === lines[0]?.[0]?.text.trim());
  return isShown ? [] : wrapLines(lines, { width, first: [span(' '.repeat(ARGUMENT_INDENT))] });
}

function headingLine(call: CallEntry, page: CallPage): Line {
  const { theme, now } = page;
  const count = call.record && countOf(call);
  const state = [...stateSpans(call, theme, now), span(count ? ` ${count}` : '', theme.faint)];
  return headLine({ name: call.name, argument: argumentOf(call), state }, page);
}

interface Heading {
  readonly name: string;
  readonly argument: string;
  readonly state: Line;
}

/** What stands above: of a long argument so much that the state is seen. */
export function headLine({ name, argument, state }: Heading, { theme, width }: Page): Line {
  const head = [span('▸ ', theme.accent), span(name || '…', (text) => theme.strong(theme.accent(text)))];
  const room = Math.max(NARROWEST_ARGUMENT, width - lineWidth(head) - lineWidth(state) - 1);
  const shown = cutLine([span(shortArgument(argument), theme.faint)], room);
  return cutLine([...head, ...shown, span(' '), ...state], width);
}

function countOf(call: CallEntry): string | undefined {
  const change = call.record && changeOf(call.record, '');
  return change && changeCount(change);
}

/** Half-written arguments are no text for people. */
function argumentOf({ state, displayArg, argumentsText }: CallEntry): string {
  return state === 'writing' ? '' : (displayArg ?? argumentsText);
}

function runningLines(call: CallEntry, page: CallPage): Line[] {
  const lines = call.output.lines().filter(({ text }) => text.trim() !== '');
  const shown = page.outputRows > 0 ? lines.slice(-page.outputRows) : [];
  // Where there is little room, it is for what is new.
  const above = page.outputRows < OUTPUT_ROWS ? 0 : call.output.dropped + lines.length - shown.length;
  return [
    ...writtenLines(call, page),
    ...(above > 0 ? [rowsAboveLine(above, page.isExpanded ? 'not kept here' : 'ctrl-o', page)] : []),
    ...shown.map((line) => outputLine(line, page)),
    ...progressLines(call, page),
  ];
}

function progressLines({ progress: told }: CallEntry, { theme, width }: Page): Line[] {
  if (!told) return [];
  const { progress, total, message = '' } = told;
  const share = total === undefined || !(total > 0) ? undefined : Math.min(1, Math.max(0, progress / total));
  const full = Math.round((share ?? 0) * BAR_COLUMNS);
  const bar =
    share === undefined
      ? []
      : [span('━'.repeat(full), theme.accent), span('╌'.repeat(BAR_COLUMNS - full), theme.faint)];
  const amount = total === undefined ? `${progress}` : `${progress}/${total}`;
  return [
    cutLine(
      [span('     '), ...bar, span(`${bar.length > 0 ? ' ' : ''}${amount} ${message}`.trimEnd(), theme.faint)],
      width,
    ),
  ];
}
