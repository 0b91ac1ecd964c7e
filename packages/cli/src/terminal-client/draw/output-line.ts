import type { OutputLine } from '../transcript/output-lines.ts';
import { cutLine, type Line, span } from './line.ts';
import type { Page } from './markdown.ts';

/** What a call prints stands behind a bar of its own; standard error behind that of the number 2. */
export function outputLine({ stream, text }: OutputLine, { theme, width }: Page): Line {
  const bar = stream === 'stderr' ? span('  2│ ', theme.bad) : span('   │ ', theme.faint);
  return cutLine([bar, span(text)], width);
}

/** That rows are left out above, and where they are. */
export function rowsAboveLine(count: number, where: string, { theme, width }: Page): Line {
  const note = `… ${count.toLocaleString('en')} ${count === 1 ? 'row' : 'rows'} above (${where})`;
  return cutLine([span('   │ ', theme.faint), span(note, theme.faint)], width);
}
