import type { CallRecord, JsonObject, Session, ToolCall } from '@toolpost/protocol';
import type { JournalEntry } from '../journal/journal-entry.ts';
import type { RegisteredTool } from '../registry/registered-tool.ts';
import type { Repair } from './repair-arguments.ts';

const MAX_ARGUMENTS_CHARS = 64 * 1024;
const MAX_ERROR_CHARS = 2048;

/** What the steps of one call leave for the journal. */
export interface CallTrace {
  readonly startedAt: number;
  readonly startedMs: number;
  tool: RegisteredTool | undefined;
  finalArguments: JsonObject | undefined;
  repairs: readonly Repair[] | undefined;
  hooks: readonly string[] | undefined;
  decision: string | undefined;
  rule: string | undefined;
  queuedMs: number;
}

export function beginTrace(): CallTrace {
  return {
    startedAt: Date.now(),
    startedMs: performance.now(),
    tool: undefined,
    finalArguments: undefined,
    repairs: undefined,
    hooks: undefined,
    decision: undefined,
    rule: undefined,
    queuedMs: 0,
  };
}

export function toJournalEntry(trace: CallTrace, call: ToolCall, session: Session, record: CallRecord): JournalEntry {
  const raw = call.arguments;
  return {
    at: new Date(trace.startedAt).toISOString(),
    id: call.id,
    session: session.id,
    tenant: session.tenant,
    channel: session.channel,
    user: session.user,
    tool: record.name,
    plugin: record.plugin,
    arguments: raw.length > MAX_ARGUMENTS_CHARS ? raw.slice(0, MAX_ARGUMENTS_CHARS).toWellFormed() : raw,
    argumentsBytes: Buffer.byteLength(raw),
    ...(trace.finalArguments && { finalArguments: trace.finalArguments }),
    ...(trace.repairs && { repairs: trace.repairs }),
    ...(trace.hooks && { hooks: trace.hooks }),
    ...(trace.decision !== undefined && { decision: trace.decision }),
    ...(trace.rule !== undefined && { rule: trace.rule }),
    outcome: record.outcome,
    ...(record.isError && { error: record.text.slice(0, MAX_ERROR_CHARS).toWellFormed() }),
    durationMs: record.durationMs,
    ...(trace.queuedMs > 0 && { queuedMs: trace.queuedMs }),
    resultChars: record.text.length,
  };
}
