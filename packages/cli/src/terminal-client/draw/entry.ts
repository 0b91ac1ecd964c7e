import { TURN_ENDINGS } from '@toolpost/protocol';
import type { Entry, NoteEntry, PromptEntry, TurnEndEntry } from '../transcript/entries.ts';
import { actionLines } from './action.ts';
import { type CallPage, callLines } from './call.ts';
import { type Line, type Paint, span, textLines } from './line.ts';
import { markdownLines } from './markdown.ts';
import { both, type Theme } from './theme.ts';
import { wrapLines } from './wrap.ts';

/** Wider lines of prose are hard to read. */
const PROSE_COLUMNS = 100;
/** So much of what a model thinks is shown while it does. */
const REASONING_ROWS = 3;
/** So much of a long prompt. */
const PROMPT_ROWS = 12;

/** An entry as rows of the screen, without the empty row before it. */
export function entryLines(entry: Entry, page: CallPage): Line[] {
  switch (entry.kind) {
    case 'prompt':
      return promptLines(entry, page);
    case 'text':
      return proseLines(entry.text, page);
    case 'reasoning':
      return reasoningLines(entry.text, entry.isOpen, page);
    case 'call':
      return callLines(entry, page);
    case 'action':
      return actionLines(entry, page);
    case 'note':
      return noteLines(entry, page);
    case 'turn-end':
      return turnEndLines(entry, page);
    case 'said':
      return wrapLines(textLines(entry.text.trimEnd()), page);
  }
}

export function proseLines(markdown: string, page: CallPage): Line[] {
  return markdownLines(markdown, { ...page, width: Math.min(page.width, PROSE_COLUMNS) });
}

function promptLines({ text, from }: PromptEntry, { theme, width, isExpanded }: CallPage): Line[] {
  const who: Line[] = from === undefined ? [] : [[span(`from an interface of ${from}:`, theme.faint)]];
  const all = text.trimEnd();
  const shown = isExpanded ? all : beginningOf(all, width);
  const left = all.length - shown.length;
  const lines = textLines(shown, theme.strong);
  const note = `  … ${left.toLocaleString('en')} more characters (ctrl-o)`;
  return [
    ...who,
    ...wrapLines(lines, { width, first: [span('> ', theme.accent)], rest: [span('  ')] }),
    ...(left > 0 ? [[span(note, theme.faint)]] : []),
  ];
}

/** A long paste stands there as its first rows; the text itself where it is not much longer. */
function beginningOf(text: string, width: number): string {
  const lines = text.slice(0, PROMPT_ROWS * width).split('\n', PROMPT_ROWS + 1);
  const begun = lines.slice(0, PROMPT_ROWS).join('\n').toWellFormed();
  return text.length - begun.length > width ? begun : text;
}

/** While it thinks, the last of it; afterwards that it did, in one line, until everything is asked for. */
function reasoningLines(text: string, isOpen: boolean, page: CallPage): Line[] {
  const { theme, isExpanded } = page;
  const width = Math.min(page.width, PROSE_COLUMNS);
  if (!isOpen && !isExpanded) return [[span(`∴ thought, ${text.split(/\s+/).length} words (ctrl-o)`, theme.faint)]];
  const rows = wrapLines(textLines(text.trim(), both(theme.faint, theme.emphasis)), { width, first: [span('  ')] });
  return isExpanded ? rows : rows.slice(-REASONING_ROWS);
}

const TONES: Readonly<Record<NoteEntry['tone'], { sign: string; paint: keyof Pick<Theme, 'faint' | 'warn' | 'bad'> }>> =
  {
    info: { sign: '  ', paint: 'faint' },
    warning: { sign: '! ', paint: 'warn' },
    error: { sign: '✗ ', paint: 'bad' },
  };

function noteLines({ tone, text }: NoteEntry, { theme, width }: CallPage): Line[] {
  const { sign, paint } = TONES[tone];
  const colour: Paint = theme[paint];
  const lines = textLines(text.trimEnd(), tone === 'warning' ? undefined : colour);
  return wrapLines(lines, { width, first: [span(sign, colour)], rest: [span('  ')] });
}

/** An end as it should be needs no word. */
function turnEndLines({ reason }: TurnEndEntry, { theme }: CallPage): Line[] {
  const ending = TURN_ENDINGS[reason];
  if (ending === undefined) return [];
  return [[span(`${reason === 'cancelled' ? '■' : '!'} ${ending}`, theme.warn)]];
}
