import type { Ask, FormRequest } from '@toolpost/host';
import { Box } from 'ink';
import { type ReactNode, useMemo } from 'react';
import { choicesOf, describeField, type FormField, fieldsOf } from '../../form-field.ts';
import { visibleText } from '../../terminal-text.ts';
import { cutLine, type Line, span } from '../draw/line.ts';
import type { Theme } from '../draw/theme.ts';
import { wrapLine, wrapLines } from '../draw/wrap.ts';
import { lineOf } from '../input/line-of.ts';
import { insertInLine } from '../input/press-in-line.ts';
import { Rows } from '../input/rows.tsx';
import type { PanelLook } from './approval-panel.tsx';
import { type FormState, firstFormState, pressForm, YES_OR_NO } from './form-state.ts';
import { runsOut } from './runs-out.ts';
import { usePanel } from './use-panel.ts';

export interface FormPanelProps extends PanelLook {
  readonly request: FormRequest;
  readonly onAnswer: (answer: Awaited<ReturnType<Ask>>) => void;
}

const MAX_MESSAGE = 2000;
const MAX_CHOICES = 8;

/** What a tool wants to know, a field at a time. Who asks is said, and is not the client. */
export function FormPanel(props: FormPanelProps): ReactNode {
  const { request, theme, columns, maxRows, takesKeys, onAnswer, onInterrupt } = props;
  const fields = useMemo(() => fieldsOf(request.schema), [request]);
  const state = usePanel<FormState>({
    ...{ first: firstFormState(fields), takesKeys, onDrawn: props.onDrawn },
    press(before, key) {
      const step = pressForm(before, key, fields);
      if (step === 'interrupt') onInterrupt();
      else if ('action' in step) onAnswer(step);
      else return step;
      return undefined;
    },
    paste: (before, text) => ({ ...before, text: insertInLine(before.text, text), problem: undefined }),
  });
  const head = headingLines(request, props).slice(0, maxRows);
  const rows = [
    ...head,
    ...givenLines(state, fields, props).slice(-Math.max(2, maxRows - head.length)),
    ...(takesKeys ? fieldLines(state, fields, { theme, columns }) : [[span('  …', theme.faint)]]),
  ];
  return (
    <Box flexDirection="column" marginTop={1}>
      <Rows lines={rows} />
    </Box>
  );
}

function headingLines(request: FormRequest, { theme, columns, waiting }: PanelLook): Line[] {
  const { plugin, name, message } = request;
  const who =
    plugin === 'builtin'
      ? `the built-in ${visibleText(name)}`
      : `${visibleText(name)} of plugin ${visibleText(plugin)}`;
  const text = message
    .slice(0, MAX_MESSAGE)
    .split('\n')
    .map((line): Line => [span(visibleText(line))]);
  const count = waiting > 0 ? ` (and ${waiting} more behind it)` : '';
  return [
    ...wrapLine([span(`${who} asks`, theme.strong), span(`${count}${runsOut(request, 'cancelled')}`, theme.faint)], {
      width: columns,
    }),
    ...wrapLines(text, { width: columns, first: [span('  │ ', theme.faint)] }),
  ];
}

function givenLines({ at, said }: FormState, fields: readonly FormField[], { theme, columns }: PanelLook): Line[] {
  return fields.slice(0, at).map((field, index) => {
    const { name, usual = '' } = describeField(field);
    const given = said[index] === '' ? usual : visibleText(said[index] ?? '');
    return cutLine([span('  ✓ ', theme.good), span(`${name}  `, theme.faint), span(given)], columns);
  });
}

function fieldLines(
  state: FormState,
  fields: readonly FormField[],
  look: { readonly theme: Theme; readonly columns: number },
): Line[] {
  const { theme, columns } = look;
  const field = fields[state.at];
  if (!field) return [...choiceLines(YES_OR_NO, state.chosen, look), helpLine('Enter answers', look)];
  const { name, about, usual } = describeField(field);
  const choices = choicesOf(field);
  const title = wrapLine([span(name, theme.strong), span(about === '' ? '' : `  ${about}`, theme.faint)], {
    ...{ width: columns, first: [span('  ')] },
  });
  const count = fields.length > 1 ? `field ${state.at + 1} of ${fields.length} · ` : '';
  const asked = choices
    ? choiceLines(choices, state.chosen, look)
    : [lineOf(state.text, { mark: [span('  ❯ ', theme.accent)], hint: usual ?? '', ...look })];
  const problem: Line[] = state.problem === undefined ? [] : [[span(`  ✗ ${state.problem}`, theme.bad)]];
  const back = state.at > 0 ? ' · Shift-Tab goes back' : '';
  return [...title, ...asked, ...problem, helpLine(`${count}Enter goes on${back}`, look)];
}

function choiceLines(
  choices: readonly { readonly label: string }[],
  chosen: number,
  { theme, columns }: { readonly theme: Theme; readonly columns: number },
): Line[] {
  const first = Math.max(0, Math.min(chosen - Math.floor(MAX_CHOICES / 2), choices.length - MAX_CHOICES));
  return choices.slice(first, first + MAX_CHOICES).map(({ label }, index) => {
    const isChosen = first + index === chosen;
    const text = span(label, isChosen ? theme.accent : undefined);
    return cutLine([span(isChosen ? '  ❯ ' : '    ', theme.accent), text], columns);
  });
}

function helpLine(keys: string, { theme, columns }: { readonly theme: Theme; readonly columns: number }): Line {
  return cutLine([span(`  ${keys} · Ctrl-D declines · Esc cancels the form`, theme.faint)], columns);
}
