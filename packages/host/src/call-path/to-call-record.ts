import { type CallRecord, textOf } from '@toolpost/protocol';
import type { CallInProgress } from './call-in-progress.ts';
import type { Settled } from './settle.ts';

/** The record of a call as clients get it. `name` is the tool's own, also when it was called in another case. */
export function toCallRecord({ call, trace }: CallInProgress, { outcome, result }: Settled): CallRecord {
  const record: CallRecord = {
    id: call.id,
    name: trace.tool?.definition.name ?? call.name,
    plugin: trace.tool?.plugin.id ?? '',
    outcome,
    isError: outcome !== 'completed',
    content: result.content,
    text: textOf(result.content),
    durationMs: Math.round((performance.now() - trace.startedMs - trace.waitedMs) * 1000) / 1000,
  };
  if (result.structuredContent !== undefined) record.structuredContent = result.structuredContent;
  if (result.metadata !== undefined) record.metadata = result.metadata;
  return record;
}
