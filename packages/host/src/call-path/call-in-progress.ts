import type { JsonObject, Session, ToolCall } from '@toolpost/protocol';
import type { HookRunner } from '../hooks/run-hooks.ts';
import type { Journal } from '../journal/journal.ts';
import type { Limits } from '../limits/limits.ts';
import type { Approvals } from '../permissions/approvals.ts';
import type { Permissions } from '../permissions/decide.ts';
import type { RegisteredTool } from '../registry/registered-tool.ts';
import type { Snapshot } from '../registry/snapshot.ts';
import type { KeptApprovals } from '../trust/kept-approvals.ts';
import type { BeyondCall } from './beyond-call.ts';
import type { CallOptions } from './call-options.ts';
import type { CallTelemetry } from './call-telemetry.ts';
import type { CallTrace } from './call-trace.ts';
import type { OutputFiles } from './output-files.ts';
import type { Redactor } from './redactor.ts';
import type { ConfinePath } from './sandbox.ts';

/** What the one path of all calls is made of. */
export interface CallPath {
  readonly snapshotOf: (session: Session) => Snapshot;
  readonly hooks: HookRunner;
  readonly permissions: Permissions;
  readonly approvals: Approvals;
  readonly keptApprovals: KeptApprovals;
  /** `--yes`: also a hook's ask counts as answered. */
  readonly saysYes: boolean;
  readonly limits: Limits;
  readonly outputFiles: OutputFiles;
  /** The configured cap of a plugin's results, in bytes. */
  readonly outputBytesOf: (pluginId: string) => number | undefined;
  readonly journal: Journal;
  readonly confine: ConfinePath;
  readonly redact: Redactor;
  readonly warn: (message: string) => void;
  /** Absent without telemetry, so that a call pays nothing for it. */
  readonly telemetry?: CallTelemetry | undefined;
  /** What running calls can do beyond themselves; absent where there is nothing but calls. */
  readonly beyond?: BeyondCall | undefined;
}

/** One call on its way: who calls what, and what its steps leave behind. */
export interface CallInProgress {
  readonly call: ToolCall;
  readonly session: Session;
  readonly options: CallOptions;
  readonly trace: CallTrace;
}

/** A call whose tool is found and whose arguments are valid. */
export interface ReadyCall {
  readonly tool: RegisteredTool;
  readonly input: JsonObject;
  /** Why a hook wants the user asked. */
  readonly hookAsks: string | undefined;
}
