import type { CallRecord, JsonObject } from '@toolpost/protocol';
import { allowCall } from './call-path/allow-call.ts';
import { announceCall } from './call-path/announce-call.ts';
import { runPostHooks, runPreHooks } from './call-path/call-hooks.ts';
import type { CallInProgress, CallPath, ReadyCall } from './call-path/call-in-progress.ts';
import type { CallOptions, CallTool } from './call-path/call-options.ts';
import { CallStopped, cancelledBefore } from './call-path/call-stopped.ts';
import { beginTrace } from './call-path/call-trace.ts';
import { capResult, DEFAULT_OUTPUT_BYTES } from './call-path/cap-result.ts';
import { parseArguments } from './call-path/parse-arguments.ts';
import { redactResult } from './call-path/redactor.ts';
import { runTool } from './call-path/run-tool.ts';
import { type Settled, settleFailure, settleValue } from './call-path/settle.ts';
import { settledOrAborted } from './call-path/settled-or-aborted.ts';
import { takeBlocks } from './call-path/take-blocks.ts';
import { withTextArguments } from './call-path/text-arguments.ts';
import { toCallRecord } from './call-path/to-call-record.ts';
import { unknownArguments } from './call-path/unknown-arguments.ts';
import { type CheckedArguments, checkArguments } from './call-path/validate-arguments.ts';
import { toJournalLine } from './journal/journal-line.ts';
import type { RegisteredTool } from './registry/registered-tool.ts';

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
  announceCall(path, { call, options });
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
    announceCall(path, { call, options, tool, input });
  }
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
