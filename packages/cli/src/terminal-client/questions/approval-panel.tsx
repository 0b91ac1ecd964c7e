import type { ApprovalAnswer, ApprovalRequest } from '@toolpost/host';
import { Box } from 'ink';
import { type ReactNode, useMemo } from 'react';
import { type ApprovalText, approvalText } from '../../approval-question.ts';
import type { RowTone } from '../../shown-preview.ts';
import { wholeChangeLines } from '../draw/diff.ts';
import { cutLine, type Line, type Paint, span } from '../draw/line.ts';
import type { Theme } from '../draw/theme.ts';
import { wrapLine } from '../draw/wrap.ts';
import { lineOf } from '../input/line-of.ts';
import { insertInLine } from '../input/press-in-line.ts';
import { Rows } from '../input/rows.tsx';
import { type ApprovalState, type Choice, choicesFor, FIRST_STATE, pressApproval } from './approval-state.ts';
import { runsOut } from './runs-out.ts';
import { usePanel } from './use-panel.ts';

export interface PanelLook {
  readonly theme: Theme;
  /** Of the terminal. */
  readonly columns: number;
  /** At most so many rows for what the question is about. */
  readonly maxRows: number;
  /** Whether keys answer it. */
  readonly takesKeys: boolean;
  /** Questions behind this one. */
  readonly waiting: number;
  readonly onDrawn: () => void;
  readonly onInterrupt: () => void;
}

export interface ApprovalPanelProps extends PanelLook {
  readonly request: ApprovalRequest;
  readonly onAnswer: (answer: ApprovalAnswer) => void;
}

/** Before the further rows of an argument, as before each line of a long one. */
const GOES_ON = '  │ ';

/** May this call run? Everything that it would do can be seen before one answers. */
export function ApprovalPanel(props: ApprovalPanelProps): ReactNode {
  const { request, theme, columns, maxRows, takesKeys, waiting, onAnswer, onInterrupt } = props;
  const choices = useMemo(() => choicesFor(request), [request]);
  const { heading, body } = useMemo(
    () => linesOf(request, { theme, columns, waiting }),
    [request, theme, columns, waiting],
  );
  const shown = Math.min(body.length, maxRows);
  const state = usePanel<ApprovalState>({
    ...{ first: FIRST_STATE, takesKeys, onDrawn: props.onDrawn },
    press(before, key) {
      const step = pressApproval(before, key, { choices, rows: body.length, shown });
      if (step === 'interrupt') onInterrupt();
      else if ('answer' in step) onAnswer(step);
      else return step;
      return undefined;
    },
    paste: (before, text) => (before.reason ? { ...before, reason: insertInLine(before.reason, text) } : before),
  });
  const rows = [
    ...heading,
    ...body.slice(state.scroll, state.scroll + shown),
    ...moreLine(body.length, { state, shown, theme }),
    ...(takesKeys ? answerLines(state, choices, { theme, columns }) : waitLines(choices, theme)),
  ];
  return (
    <Box flexDirection="column" marginTop={1}>
      <Rows lines={rows} />
    </Box>
  );
}

function linesOf(
  request: ApprovalRequest,
  { theme, columns, waiting }: Pick<PanelLook, 'theme' | 'columns' | 'waiting'>,
) {
  const text = approvalText(request, { isWhole: true });
  const { what, reason, rows } = text;
  const paints: Record<RowTone, Paint | undefined> = {
    ...{ plain: undefined, faint: theme.faint, place: theme.accent, added: theme.good, removed: theme.bad },
  };
  const behind = waiting > 0 ? `, and ${waiting} more ${waiting === 1 ? 'question' : 'questions'} behind it` : '';
  return {
    heading: wrapLine(
      [span(`Allow ${what}?`, theme.strong), span(` (${reason})${behind}${runsOut(request, 'a no')}`, theme.faint)],
      { width: columns },
    ),
    body: [
      ...rows.flatMap(({ text, tone }) => markedRows(text, { paint: paints[tone], theme, columns })),
      ...changeLines(text, { theme, columns }),
    ],
  };
}

/** What is not ours may fill as many rows as it likes: each one shows that it goes on, none stands where our words do. */
function markedRows(
  row: string,
  { paint, theme, columns }: { paint: Paint | undefined } & Pick<PanelLook, 'theme' | 'columns'>,
): Line[] {
  const [mark = ''] = /^ *│ /.exec(row) ?? [];
  const first: Line = [span('  '), span(mark, theme.faint)];
  const rest: Line = [span('  '), span(mark || GOES_ON, theme.faint)];
  // The first row of an argument is as long as the others may be.
  const width = columns - (mark ? 0 : GOES_ON.length);
  return wrapLine([span(row.slice(mark.length), paint)], { width, first, rest });
}

/** What would be changed, as it is shown when it is done. */
function changeLines({ change, mark }: ApprovalText, { theme, columns }: Pick<PanelLook, 'theme' | 'columns'>): Line[] {
  if (!change) return [];
  const before = span(mark, theme.faint);
  return wholeChangeLines(change, { theme, width: columns - mark.length }).map((line) => [before, ...line]);
}

/** Parts the question from its answers. */
function moreLine(
  rows: number,
  { state, shown, theme }: { state: ApprovalState; shown: number; theme: Theme },
): Line[] {
  if (rows <= shown) return [[span('')]];
  const last = state.scroll + shown;
  return [[span(`  ${state.scroll + 1}-${last} of ${rows} lines, PgUp and PgDn show the others`, theme.warn)]];
}

/** The choices before they count: in the same place, so that nothing jumps. */
function waitLines(choices: readonly Choice[], { faint }: Theme): Line[] {
  return [...choices.map(({ label }): Line => [span(`    ${label}`, faint)]), [span('  …', faint)]];
}

function answerLines(
  { chosen, reason }: ApprovalState,
  choices: readonly Choice[],
  { theme, columns }: Pick<PanelLook, 'theme' | 'columns'>,
): Line[] {
  if (reason)
    return [
      lineOf(reason, { mark: [span('  Why not? ', theme.strong)], hint: 'what to do instead', columns, theme }),
      [span('  Enter says no · Esc goes back', theme.faint)],
    ];
  const lines = choices.map(({ letter, label, about }, at): Line => {
    const isChosen = at === chosen;
    const mark = span(isChosen ? '  ❯ ' : '    ', theme.accent);
    const text = [span(label, isChosen ? theme.accent : undefined), span(` (${letter})  ${about}`, theme.faint)];
    return cutLine([mark, ...text], columns);
  });
  return [...lines, [span('  ↑↓ and Enter, or the letter · Esc cancels the turn', theme.faint)]];
}
