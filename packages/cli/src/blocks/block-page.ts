import type { Page } from '../terminal-client/draw/markdown.ts';

/** What blocks are drawn on. */
export interface BlockPage extends Page {
  /** Whether everything is shown, however long: then what is too wide goes on below instead of being cut. */
  readonly isExpanded?: boolean;
  /** About so many rows of one block are shown. */
  readonly maxRows?: number;
  /** Where browsers show the session; undefined where no server holds it. */
  readonly pageUrl?: string | undefined;
}

/** What stands around the rows of a block: its head, and how much is left out. */
const ROWS_AROUND = 3;

/** How many are shown of what has a limit. */
export function shownCount(limit: number, { isExpanded = false, maxRows = limit + ROWS_AROUND }: BlockPage): number {
  return isExpanded ? Number.POSITIVE_INFINITY : Math.max(1, Math.min(limit, maxRows - ROWS_AROUND));
}
