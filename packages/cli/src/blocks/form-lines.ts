import type { FormBlock, FormField } from '@toolpost/protocol';
import { type Line, span, textWidth } from '../terminal-client/draw/line.ts';
import type { Page } from '../terminal-client/draw/markdown.ts';

/** The fields of a form with what stands in them. It is filled in where there is a page. */
export function formLines({ fields, submit = 'Send' }: FormBlock, { theme, width }: Page): Line[] {
  const names = fields.map(({ label, name }) => span(label ?? name).text);
  const column = Math.min(Math.max(0, ...names.map(textWidth)), width >> 1);
  const rows = fields.map((field, at): Line => {
    const name = names[at] ?? '';
    const blank = ' '.repeat(Math.max(0, column - textWidth(name)));
    const needed = field.required === true ? [span('  needed', theme.faint)] : [];
    return [span(`${name}${blank}  `), ...valueSpans(field, theme.faint), ...needed];
  });
  return [...rows, [span(`[ ${submit} ]`, theme.accent), span('  can be filled in in the browser', theme.faint)]];
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
