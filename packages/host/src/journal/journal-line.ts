import type { CallRecord, Session, ToolCall } from '@toolpost/protocol';
import type { CallTrace } from '../call-path/call-trace.ts';
import type { JournalEntry } from './journal-entry.ts';

const MAX_ARGUMENTS_CHARS = 64 * 1024;
const MAX_ERROR_CHARS = 2048;

/**
 * One call as a line of the journal: a JournalEntry as JSON. It is put together by hand, since every call pays for it:
 * what is the same for all calls of a session or a tool is encoded once.
 */
export function toJournalLine(trace: CallTrace, call: ToolCall, session: Session, record: CallRecord): string {
  const raw = call.arguments;
  const isLong = raw.length > MAX_ARGUMENTS_CHARS;
  const given = isLong ? cutArguments(raw) : `"arguments":${trace.quotedArguments ?? JSON.stringify(raw)}`;
  const decided = decisionPart(trace);
  return `{"at":"${isoTime(trace.startedAt)}","id":${JSON.stringify(call.id)},${sessionPart(session)},${toolPart(trace, record)},${given},${decided}"outcome":"${record.outcome}","durationMs":${record.durationMs},"resultChars":${record.text.length}${rarePart(trace, record)}}`;
}

function cutArguments(raw: string): string {
  const kept = raw.slice(0, MAX_ARGUMENTS_CHARS).toWellFormed();
  return `"arguments":${JSON.stringify(kept)},"argumentsBytes":${Buffer.byteLength(raw)}`;
}

let lastDecision: string | undefined;
let lastRule: string | undefined;
let lastPart = '';

/** Calls that come one after the other are mostly decided alike. */
function decisionPart({ decision, rule }: CallTrace): string {
  if (decision === undefined) return '';
  if (decision !== lastDecision || rule !== lastRule) {
    lastDecision = decision;
    lastRule = rule;
    lastPart = `"decision":"${decision}",${rule === undefined ? '' : `"rule":${JSON.stringify(rule)},`}`;
  }
  return lastPart;
}

/** The fields that most calls do not have. */
function rarePart(trace: CallTrace, record: CallRecord): string {
  const { finalArguments, repairs, hooks, queuedMs, waitedMs } = trace;
  if (!finalArguments && !repairs && !hooks && queuedMs === 0 && waitedMs === 0 && !record.isError) return '';
  const rare: Partial<JournalEntry> = {
    ...(finalArguments && bounded('finalArguments', finalArguments)),
    ...(repairs && bounded('repairs', repairs)),
    ...(hooks && { hooks }),
    ...(queuedMs > 0 && { queuedMs }),
    ...(waitedMs > 0 && { waitedMs: Math.round(waitedMs) }),
    ...(record.isError && { error: record.text.slice(0, MAX_ERROR_CHARS).toWellFormed() }),
  };
  return `,${JSON.stringify(rare).slice(1, -1)}`;
}

/** A line stays readable: what is longer than the arguments may be is there by its length alone. */
function bounded<Key extends 'finalArguments' | 'repairs'>(
  key: Key,
  value: NonNullable<JournalEntry[Key]>,
): Partial<JournalEntry> {
  const { length } = JSON.stringify(value);
  return length <= MAX_ARGUMENTS_CHARS ? { [key]: value } : { [`${key}Chars`]: length };
}

let lastMs = 0;
let lastTime = '';

/** Many calls start within one millisecond. */
function isoTime(ms: number): string {
  if (ms !== lastMs) {
    lastMs = ms;
    lastTime = new Date(ms).toISOString();
  }
  return lastTime;
}

const sessionParts = new WeakMap<Session, string>();

function sessionPart(session: Session): string {
  let part = sessionParts.get(session);
  if (part === undefined) {
    const { id, tenant, channel, user } = session;
    const known = { session: id, channel, ...(tenant !== '' && { tenant }), ...(user !== '' && { user }) };
    part = JSON.stringify(known).slice(1, -1);
    sessionParts.set(session, part);
  }
  return part;
}

const toolParts = new WeakMap<object, string>();

function toolPart({ tool }: CallTrace, { name, plugin }: CallRecord): string {
  const known = tool && toolParts.get(tool);
  if (known !== undefined) return known;
  const part = JSON.stringify({ tool: name, plugin }).slice(1, -1);
  if (tool) toolParts.set(tool, part);
  return part;
}
