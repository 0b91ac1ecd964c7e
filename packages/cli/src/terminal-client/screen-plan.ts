import { layOut } from './input/layout.ts';
import type { PromptView } from './input/prompt-editor.ts';
import { PROMPT_MARK } from './input/prompt-lines.ts';

/** How many rows each part of the screen may take. Together they are fewer than the screen has. */
export interface ScreenPlan {
  readonly live: number;
  readonly prompt: number;
  readonly queued: number;
  /** For what a question is about. */
  readonly question: number;
}

export interface PlannedScreen {
  readonly rows: number;
  readonly columns: number;
  readonly prompt: PromptView;
  readonly queued: number;
  readonly isAsking: boolean;
}

/** An empty row, that a turn runs, the status, and a row that stays free: a frame as high as the screen scrolls it. */
const FIXED_ROWS = 4;
const MAX_PROMPT_ROWS = 10;
const MAX_QUEUED = 4;
/** So many rows of what goes on stay above a question. */
const ROWS_ABOVE_QUESTION = 6;
/** Its heading, its answers and how they are given. */
const ROWS_OF_ANSWERS = 9;

export function planScreen({ rows, columns, prompt, queued, isAsking }: PlannedScreen): ScreenPlan {
  const room = Math.max(1, rows - FIXED_ROWS);
  const shownQueued = Math.min(queued, MAX_QUEUED, room >> 2);
  const maxPrompt = Math.max(1, Math.min(MAX_PROMPT_ROWS, (room - shownQueued) >> 1));
  const written = rowsOf(prompt, { columns, maxRows: maxPrompt });
  const left = Math.max(0, room - shownQueued - written);
  const live = isAsking ? Math.min(ROWS_ABOVE_QUESTION, left >> 2) : left;
  const question = Math.max(1, left - live - ROWS_OF_ANSWERS);
  return { live, prompt: maxPrompt, queued: shownQueued, question };
}

function rowsOf({ text, menu }: PromptView, { columns, maxRows }: { columns: number; maxRows: number }): number {
  const rows = layOut(text.cells, Math.max(4, columns - PROMPT_MARK.length - 1)).length;
  return Math.min(rows, maxRows) + Math.min(menu ? Math.max(1, menu.items.length) : 0, maxRows);
}
