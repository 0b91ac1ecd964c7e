import { type ShownText, shownText } from './shown-text.ts';
import { visibleText } from './terminal-text.ts';

const MAX_ARGUMENTS = 40;
const MAX_NAME_WIDTH = 20;
/** Longer values get lines of their own. */
const MAX_INLINE = 200;
const BLOCK = { head: 14, tail: 6 };
/** Texts that would be read as something else, or not seen, without quotes. */
const NEEDS_QUOTES = /^$|^\s|\s$|^["'[{]|^(?:true|false|null|-?\d[\d.eE+-]*)$/;

export interface ArgumentsView {
  /** Everything, however long. */
  readonly isWhole: boolean;
  /** Arguments that are shown elsewhere. */
  readonly without: readonly string[];
}

/** The arguments of a call, one a line where they are short, so that a person can decide on them. */
export function shownArguments(argumentsText: string, { isWhole, without }: ArgumentsView): ShownText {
  const entries = Object.entries<unknown>(JSON.parse(argumentsText)).filter(([name]) => !without.includes(name));
  if (entries.length === 0) return { lines: without.length === 0 ? ['without arguments'] : [], isCut: false };
  const shown = isWhole ? entries : entries.slice(0, MAX_ARGUMENTS);
  const width = Math.min(MAX_NAME_WIDTH, Math.max(...shown.map(([name]) => visibleText(name).length)));
  const parts = shown.map(([name, value]) => shownArgument(visibleText(name).padEnd(width), value, isWhole));
  const left = entries.length - shown.length;
  const more = left > 0 ? [`… ${left} more arguments …`] : [];
  return {
    lines: [...parts.flatMap(({ lines }) => lines), ...more],
    isCut: left > 0 || parts.some(({ isCut }) => isCut),
  };
}

function shownArgument(name: string, value: unknown, isWhole: boolean): ShownText {
  const text = textOf(value);
  if (!text.includes('\n') && text.length <= MAX_INLINE) return { lines: [`${name}  ${inLine(text)}`], isCut: false };
  const { lines, isCut } = shownText(text, isWhole ? undefined : BLOCK);
  return { lines: [name.trimEnd(), ...lines.map((line) => `  │ ${line}`)], isCut };
}

function inLine(text: string): string {
  return shownText(text).lines.join('');
}

function textOf(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value) ?? '';
  return NEEDS_QUOTES.test(value) && !value.includes('\n') ? JSON.stringify(value) : value;
}
