import type { Page } from '../terminal-client/draw/markdown.ts';

/** What blocks are drawn on. */
export interface BlockPage extends Page {
  /** Whether everything is shown, however long: then what is too wide goes on below instead of being cut. */
  readonly isExpanded?: boolean;
  /** Where browsers show the session; undefined where no server holds it. */
  readonly pageUrl?: string | undefined;
}

/** How many are shown of what has a limit. */
export function shownCount(limit: number, { isExpanded = false }: BlockPage): number {
  return isExpanded ? Number.POSITIVE_INFINITY : limit;
}
