import type { Host } from '../host.ts';

/** What the handling of requests works on. */
export interface McpParts {
  readonly host: Host;
  /** Shortens every call's own limit. */
  readonly timeoutMs: number | undefined;
  /** Unique in the life of the server: the journal and the files of outputs are named by it. */
  readonly createCallId: () => string;
}
