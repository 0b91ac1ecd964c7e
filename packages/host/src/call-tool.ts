import {
  type CallRecord,
  type EventBody,
  type JsonObject,
  type Session,
  type ToolCall,
  toShownUi,
} from '@toolpost/protocol';
import type { LogLevel } from '@toolpost/sdk';
import { allowCall } from './call-path/allow-call.ts';
import type { Approver } from './call-path/approver.ts';
import type { Ask } from './call-path/ask-form.ts';
import type { BeyondCall, Caller } from './call-path/beyond-call.ts';
import type { RequestClient } from './call-path/call-context.ts';
import { runPostHooks, runPreHooks } from './call-path/call-hooks.ts';
import { CallStopped, cancelledBefore } from './call-path/call-stopped.ts';
import type { CallTelemetry } from './call-path/call-telemetry.ts';
import { beginTrace, type CallTrace } from './call-path/call-trace.ts';
import { capResult, DEFAULT_OUTPUT_BYTES } from './call-path/cap-result.ts';
import { displayArgOf } from './call-path/display-arg.ts';
import type { OutputFiles } from './call-path/output-files.ts';
import { parseArguments } from './call-path/parse-arguments.ts';
import { type Redactor, redactResult } from './call-path/redactor.ts';
import { runTool } from './call-path/run-tool.ts';
import type { ConfinePath } from './call-path/sandbox.ts';
import { type Settled, settleFailure, settleValue } from './call-path/settle.ts';
import { settledOrAborted } from './call-path/settled-or-aborted.ts';
import { takeBlocks } from './call-path/take-blocks.ts';
import { toCallRecord } from './call-path/to-call-record.ts';
import { unknownArguments } from './call-path/unknown-arguments.ts';
import { type CheckedArguments, checkArguments } from './call-path/validate-arguments.ts';
import type { HookRunner } from './hooks/run-hooks.ts';
import type { Journal } from './journal/journal.ts';
import { toJournalLine } from './journal/journal-line.ts';
import type { Limits } from './limits/limits.ts';
import type { Approvals } from './permissions/approvals.ts';
import type { Permissions } from './permissions/decide.ts';
import type { RegisteredTool } from './registry/registered-tool.ts';
import type { Snapshot } from './registry/snapshot.ts';
import type { KeptApprovals } from './trust/kept-approvals.ts';

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
  /** Absent where nobody wants to know of calls: then they cost nothing of it. */
  readonly telemetry?: CallTelemetry | undefined;
  /** What running calls can do beyond themselves; absent where there is nothing but calls. */
  readonly beyond?: BeyondCall | undefined;
}

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

/** The only path a call takes (design section 3). */
export function createCallTool(path: CallPath): CallTool {
  const { telemetry } = path;
  if (!telemetry)
    return (call, session, options = NO_OPTIONS) =>
      runCall(path, { call: withTextArguments(call), session, options, trace: beginTrace() });
  return (given, session, options = NO_OPTIONS) => {
    const call = withTextArguments(given);
    return telemetry.call(call, session, (traceparent) =>
      runCall(path, { call, session, options, trace: beginTrace(traceparent) }),
    );
  };
}

/** Some providers leave out the arguments of a tool without parameters, and programs without types pass an object. */
function withTextArguments(call: ToolCall): ToolCall {
  const given: unknown = call.arguments;
  if (typeof given === 'string') return call;
  return { ...call, arguments: given === undefined ? '' : quoteArguments(given) };
}

function quoteArguments(given: unknown): string {
  try {
    return JSON.stringify(given) ?? String(given);
  } catch (error) {
    return `arguments that are not JSON: ${error instanceof Error ? error.message : 'unreadable'}`;
  }
}

const NO_OPTIONS: CallOptions = Object.freeze({});

/**
 * The hops of a call. The first that stops it ends it, as does whatever the tool throws. What need not wait does not: an
 * `await` costs as much as several hops.
 */
async function runCall(path: CallPath, progress: CallInProgress): Promise<CallRecord> {
  let settled: Settled;
  try {
    const tool = resolve(path, progress);
    const given = parse(path, progress, tool);
    if (progress.options.refusal !== undefined) throw refused(progress, progress.options.refusal);
    if (progress.options.isUserCall) warnOfUnknown(progress, tool, given);
    const checked = validate(progress, tool, given);
    const valid = checked instanceof Promise ? await checked : checked;
    const hooked = hook(path, progress, valid);
    const ready = hooked instanceof Promise ? await hooked : hooked;
    const deciding = allowCall(path, progress, ready);
    if (deciding) await deciding;
    const running = runTool(path, progress, ready);
    settled = settleValue(running instanceof Promise ? await running : running);
    if (settled.result.metadata?.blocks !== undefined) settled = await checkBlocks(path, progress, settled);
  } catch (error) {
    settled = settleFailure(error, progress.trace.tool);
  }
  return finish(path, progress, settled);
}

/** A block that is wrong is left out of the result, and its author told. */
async function checkBlocks(
  { redact }: CallPath,
  { options, trace }: CallInProgress,
  settled: Settled,
): Promise<Settled> {
  const { tool } = trace;
  const result = await takeBlocks(settled.result, (problem) => {
    const message = redact(`${tool?.plugin.id}: ${tool?.definition.name}: ${problem}`);
    tool?.plugin.runner.services.log(message, 'warn');
    options.onEvent?.({ type: 'warning', message });
  });
  return { ...settled, result };
}

/** Caps, tells the hooks and the client, and keeps one journal entry. */
function finish(path: CallPath, progress: CallInProgress, settled: Settled): CallRecord | Promise<CallRecord> {
  const record = toCallRecord(progress, maskAndCap(path, progress, settled));
  const telling = runPostHooks(path, progress, record);
  // A caller that is gone, or goes meanwhile, does not wait for those who only hear of it.
  if (!telling || record.outcome === 'cancelled') return conclude(path, progress, record);
  return settledOrAborted(telling, progress.options.abortSignal).then(() => conclude(path, progress, record));
}

function conclude(path: CallPath, { call, session, options, trace }: CallInProgress, record: CallRecord): CallRecord {
  path.journal.record(toJournalLine(trace, call, session, record), session.tenant);
  const { name, outcome } = record;
  options.onEvent?.({ type: 'tool-call-end', toolCallId: call.id, name, outcome, result: record });
  return record;
}

function resolve(path: CallPath, { call, session, options, trace }: CallInProgress): RegisteredTool {
  const snapshot = options.snapshot ?? path.snapshotOf(session);
  const tool = snapshot.find(call.name);
  if (tool) {
    trace.tool = tool;
    return tool;
  }
  announce(path, { call, options });
  // Its plugin may not have said yet that it has it.
  if (options.abortSignal?.aborted) throw cancelledBefore(call.name);
  const near = snapshot.suggest(call.name);
  const hint = near.length > 0 ? `Did you mean ${near.join(', ')}?` : 'Call one of the tools that are listed.';
  throw new CallStopped('not-found', `There is no tool named ${JSON.stringify(call.name)} in this session. ${hint}`);
}

/** The start is announced with whatever arguments came; the display argument only when they can be read. */
function parse(path: CallPath, { call, options }: CallInProgress, tool: RegisteredTool): JsonObject {
  let input: JsonObject | undefined;
  try {
    input = parseArguments(call.arguments, { mustBeWhole: tool.definition.annotations?.readOnlyHint === false });
    return input;
  } finally {
    announce(path, { call, options, tool, input });
  }
}

interface Announcement {
  readonly call: ToolCall;
  readonly options: CallOptions;
  readonly tool?: RegisteredTool;
  readonly input?: JsonObject | undefined;
}

function announce({ redact }: CallPath, { call, options, tool, input }: Announcement): void {
  if (!options.onEvent) return;
  const displayArg = tool && input && displayArgOf(tool.definition, input);
  const ui = tool?.definition.ui;
  options.onEvent({
    type: 'tool-call-start',
    toolCallId: call.id,
    name: tool?.definition.name ?? call.name,
    plugin: tool?.plugin.id ?? '',
    arguments: redact(call.arguments),
    ...(displayArg !== undefined && { displayArg: redact(displayArg) }),
    ...(ui && { ui: toShownUi(ui) }),
  });
}

function refused({ trace }: CallInProgress, refusal: string): CallStopped {
  trace.decision = 'deny';
  trace.rule = 'the caller';
  return new CallStopped('denied', refusal);
}

function warnOfUnknown({ options }: CallInProgress, { definition }: RegisteredTool, given: JsonObject): void {
  for (const message of unknownArguments(definition, given)) options.onEvent?.({ type: 'warning', message });
}

function validate(progress: CallInProgress, tool: RegisteredTool, given: JsonObject): ReadyCall | Promise<ReadyCall> {
  const { options } = progress;
  const checked = checkArguments(tool.definition, given, options);
  return checked instanceof Promise
    ? checked.then((late) => noteRepairs(progress, tool, late))
    : noteRepairs(progress, tool, checked);
}

function noteRepairs({ trace }: CallInProgress, tool: RegisteredTool, { input, repairs }: CheckedArguments): ReadyCall {
  if (repairs.length > 0) {
    trace.repairs = [...(trace.repairs ?? []), ...repairs];
    // A copy: the tool gets `input` itself and may change it.
    trace.finalArguments = structuredClone(input);
  }
  return { tool, input, hookAsks: undefined };
}

function hook(path: CallPath, progress: CallInProgress, ready: ReadyCall): ReadyCall | Promise<ReadyCall> {
  const hasHooks = path.hooks.hasHooks('PreToolUse', ready.tool.definition.name);
  return hasHooks ? askHooks(path, progress, ready) : ready;
}

/** What a hook rewrote is validated again. */
async function askHooks(path: CallPath, progress: CallInProgress, ready: ReadyCall): Promise<ReadyCall> {
  const { input, asks } = await runPreHooks(path, progress, ready);
  const final = input === ready.input ? ready : await validate(progress, ready.tool, input);
  return { ...final, hookAsks: asks };
}

/** Secrets are masked before the cut, which may not hide half of one. */
function maskAndCap(path: CallPath, { call, session, trace }: CallInProgress, { outcome, result }: Settled): Settled {
  const maxBytes = path.outputBytesOf(trace.tool?.plugin.id ?? '') ?? DEFAULT_OUTPUT_BYTES;
  const clean = redactResult(result, path.redact);
  const capped = capResult(clean, maxBytes, (extension, content) =>
    path.outputFiles.keep({ session, callId: call.id, extension }, content),
  );
  return { outcome, result: capped };
}
