import type { Host, ListOptions } from '../host.ts';

/** A plugin that takes longer to start holds up no list: its tools come later, and clients are told. */
export const LIST_OPTIONS: ListOptions = { waitMs: 10_000 };

/** What the handling of requests works on. */
export interface McpParts {
  readonly host: Host;
  /** Shortens every call's own limit. */
  readonly timeoutMs: number | undefined;
  /** Unique in the life of the server: the journal and the files of outputs are named by it. */
  readonly createCallId: () => string;
}
