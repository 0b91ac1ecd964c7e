import type { ApprovalAnswer, ApprovalRequest } from '@toolpost/host';
import { textOf } from '../input/cells.ts';
import { type EditedText, EMPTY_TEXT } from '../input/editing.ts';
import type { PressedKey } from '../input/keys.ts';
import { pressInLine } from '../input/press-in-line.ts';

export interface Choice {
  /** The key that takes it, as Enter does when it is the chosen one. */
  readonly letter: string;
  readonly answer: ApprovalAnswer['answer'];
  readonly label: string;
  /** What exactly will be kept. */
  readonly about: string;
}

/** Where a person is with a permission question. */
export interface ApprovalState {
  readonly chosen: number;
  /** Rows that are scrolled over. */
  readonly scroll: number;
  /** Why not, as it is written; undefined while there is a choice. */
  readonly reason: EditedText | undefined;
}

export const FIRST_STATE: ApprovalState = { chosen: 0, scroll: 0, reason: undefined };

/** What a key came to: another state, the answer, or that the turn is cancelled. */
export type ApprovalStep = ApprovalState | ApprovalAnswer | 'interrupt';

export function choicesFor({ mayBeKept, session: { roots } }: ApprovalRequest): Choice[] {
  const where = roots.length === 0 ? 'in sessions with the same directories' : `in ${roots.join(', ')}`;
  const always = { letter: 'a', answer: 'always', label: 'Always', about: `this very call, ${where}` } as const;
  return [
    { letter: 'y', answer: 'once', label: 'Once', about: 'this call' },
    { letter: 's', answer: 'session', label: 'This session', about: 'this very call, until the session ends' },
    ...(mayBeKept ? [always] : []),
    { letter: 'n', answer: 'no', label: 'No', about: 'you can say why' },
  ];
}

/** `rows` and `shown`: of what the question is about, and how many of them fit. */
export function pressApproval(
  state: ApprovalState,
  key: PressedKey,
  { choices, rows, shown }: { choices: readonly Choice[]; rows: number; shown: number },
): ApprovalStep {
  const { name, text, hasCtrl } = key;
  if (hasCtrl && name === 'c') return 'interrupt';
  if (state.reason) return pressReason(state, state.reason, key);
  const scrolled = (by: number) => ({ ...state, scroll: Math.max(0, Math.min(state.scroll + by, rows - shown)) });
  const moved = (by: number) => ({ ...state, chosen: (state.chosen + by + choices.length) % choices.length });
  if (name === 'escape') return 'interrupt';
  if (hasCtrl && name === 'd') return { answer: 'no', by: 'terminal' };
  if (name === 'up') return moved(-1);
  if (name === 'down' || name === 'tab') return moved(1);
  if (name === 'pagedown') return scrolled(shown);
  if (name === 'pageup') return scrolled(-shown);
  const byLetter = choices.findIndex(({ letter }) => letter === text.toLowerCase());
  const taken = name === 'enter' ? state.chosen : byLetter;
  const choice = choices[taken];
  if (!choice) return state;
  if (choice.answer === 'no') return { ...state, chosen: taken, reason: EMPTY_TEXT };
  return { answer: choice.answer, by: 'terminal' };
}

/** Enter says no, with or without a reason; Esc goes back to the choice. */
function pressReason(state: ApprovalState, written: EditedText, key: PressedKey): ApprovalStep {
  if (key.name === 'escape') return { ...state, reason: undefined };
  const isEnd = key.hasCtrl && key.name === 'd' && written.cells.length === 0;
  if (key.name !== 'enter' && !isEnd) return { ...state, reason: pressInLine(written, key) };
  const reason = textOf(written.cells).trim();
  return { answer: 'no', by: 'terminal', ...(reason !== '' && { reason }) };
}
