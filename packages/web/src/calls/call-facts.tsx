import type { JsonObject } from '@toolpost/protocol';
import type { CallEntry } from '../session/entries.ts';
import { formatDuration } from '../text/format.ts';
import { plainLine } from '../text/plain-text.ts';
import type { Found } from './use-call-details.ts';

interface CallFactsProps {
  readonly call: CallEntry;
  /** Undefined while it is not known. */
  readonly entry: Found<JsonObject> | undefined;
}

/** How a call went, by its events and by what the journal keeps of it. */
export function CallFacts({ call, entry }: CallFactsProps) {
  const kept = entry?.isThere ? entry.value : {};
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['Outcome', call.state],
    ['Plugin', textOf(call.plugin)],
    ['Began', call.startedAt === undefined ? undefined : new Date(call.startedAt).toLocaleTimeString('en-GB')],
    ['Took', msOf(call.record?.durationMs)],
    ['Queued', msOf(kept.queuedMs)],
    ['Waited for you', msOf(kept.waitedMs)],
    ['Decision', textOf(kept.decision)],
    ['Rule', textOf(kept.rule)],
    ['Answer', call.answered],
    ['Hooks', Array.isArray(kept.hooks) ? plainLine(kept.hooks.join('; ')) : undefined],
    ['Id', textOf(call.toolCallId)],
  ];
  return (
    <section className="part">
      <dl className="facts">
        {facts.map(([name, value]) =>
          value === undefined ? null : (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
        )}
      </dl>
      {entry?.isThere === false && (
        <p className="dim">The journal no longer has this call: who decided, and by which rule, is not known.</p>
      )}
    </section>
  );
}

function msOf(value: unknown): string | undefined {
  return typeof value === 'number' ? formatDuration(value) : undefined;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? plainLine(value) : undefined;
}
