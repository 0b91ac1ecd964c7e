import type { CallRecord, EventBody, Session, ToolCall } from '@toolpost/protocol';
import type { LogLevel } from '@toolpost/sdk';
import type { Snapshot } from '../registry/snapshot.ts';
import type { Approver } from './approver.ts';
import type { Ask } from './ask-form.ts';
import type { Caller } from './beyond-call.ts';
import type { RequestClient } from './call-context.ts';

export interface CallOptions {
  readonly abortSignal?: AbortSignal | undefined;
  readonly onEvent?: ((event: EventBody) => void) | undefined;
  /** The snapshot that the model was sent; the session's current one when absent. */
  readonly snapshot?: Snapshot | undefined;
  /** Shortens the tool's own limit, in ms; never lengthens it. */
  readonly timeoutMs?: number | undefined;
  /**
   * The user's own act, as `toolpost call` is: an `ask` for this tool counts as answered yes, and an argument that the
   * tool does not know is a `warning` event, as a person may have mistyped it.
   */
  readonly isUserCall?: boolean | undefined;
  /** No yes that was given before counts: what leads to this call may be an interface's doing, and not the user's. */
  readonly ignoresRemembered?: boolean | undefined;
  /** The arguments are words of a command line: a single one is a list of one where the schema wants a list. */
  readonly areWords?: boolean | undefined;
  readonly approve?: Approver | undefined;
  readonly ask?: Ask | undefined;
  /** Why the caller itself will not have it run: the call is told of like any other, and ends `denied` with this text. */
  readonly refusal?: string | undefined;
  /** Why the user is asked also where a rule allows the call: the caller cannot tell on whose behalf it comes. */
  readonly asksBecause?: string | undefined;
  /** The tool that makes this call; absent for a model, a person or a program. */
  readonly caller?: Caller | undefined;
  /** What a client of MCP can be asked for beside its user. */
  readonly requestClient?: RequestClient | undefined;
  /** Hears what the tool writes to its plugin's log, masked like that. */
  readonly onLog?: ((message: string, level: LogLevel) => void) | undefined;
}

/** Never throws for what a plugin or a model did: that is in the record's outcome. */
export type CallTool = (call: ToolCall, session: Session, options?: CallOptions) => Promise<CallRecord>;
