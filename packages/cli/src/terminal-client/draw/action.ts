import type { ActionEntry } from '../transcript/entries.ts';
import { type CallPage, headLine } from './call.ts';
import { type Line, span, textLines } from './line.ts';
import { wrapLines } from './wrap.ts';

const STATES = {
  waiting: { sign: '○', word: 'waits for you', paint: 'warn' },
  told: { sign: '✓', word: 'told to the model', paint: 'good' },
  sent: { sign: '✓', word: 'sent on', paint: 'good' },
} as const;

/** What somebody did in an interface: one row, that ends with how it is sent on; whole where everything is shown. */
export function actionLines(entry: ActionEntry, page: CallPage): Line[] {
  const { number, plugin, action, data, state } = entry;
  const { theme, width, isExpanded } = page;
  const { sign, word, paint } = STATES[state];
  const how = state === 'waiting' ? `: /send ${number}` : '';
  const hasData = Object.keys(data).length > 0;
  const argument = `from an interface of ${plugin}${isExpanded || !hasData ? '' : ` ${JSON.stringify(data)}`}`;
  const head = headLine({ name: action, argument, state: [span(`${sign} ${word}${how}`, theme[paint])] }, page);
  if (!isExpanded || !hasData) return [head];
  const whole = textLines(JSON.stringify(data, null, 2));
  return [head, ...wrapLines(whole, { width, first: [span('   │ ', theme.faint)] })];
}
