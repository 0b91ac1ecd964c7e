import type { FormBlock, FormField } from '@toolpost/protocol';
import { type Line, span, textWidth } from '../terminal-client/draw/line.ts';
import { wrapLine } from '../terminal-client/draw/wrap.ts';
import type { BlockPage } from './block-page.ts';

/** The fields of a form with what stands in them. It is filled in where there is a page. */
export function formLines({ fields, submit = 'Send' }: FormBlock, page: BlockPage): Line[] {
  const { theme, width, pageUrl } = page;
  const names = fields.map(({ label, name }) => span(label ?? name).text);
  const column = Math.min(Math.max(0, ...names.map(textWidth)), width >> 1);
  const rows = fields.map((field, at): Line => {
    const name = names[at] ?? '';
    const blank = ' '.repeat(Math.max(0, column - textWidth(name)));
    const needed = field.required === true ? [span('  needed', theme.faint)] : [];
    return [span(`${name}${blank}  `), ...valueSpans(field, theme.faint), ...needed];
  });
  const where = pageUrl === undefined ? 'in the browser: toolpost serve' : `at ${pageUrl}`;
  const button: Line = [span(`[ ${submit} ]`, theme.accent), span(`  is filled in ${where}`, theme.faint)];
  // An address that is cut leads nowhere.
  return [...rows, ...wrapLine(button, page)];
}

function valueSpans({ kind, value, options = [], placeholder }: FormField, faint: (text: string) => string): Line {
  if (kind === 'checkbox') return [span(value === true ? '[x]' : '[ ]')];
  if (kind === 'select') {
    const others = options.filter((option) => option !== value).join(', ');
    return [span(value === undefined ? '' : `${value}  `), span(others === '' ? '' : `(${others})`, faint)];
  }
  if (value !== undefined && value !== '') return [span(String(value))];
  return [span(placeholder ?? '…', faint)];
}
