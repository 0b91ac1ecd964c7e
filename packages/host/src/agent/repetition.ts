import { createHash } from 'node:crypto';
import type { CallRecord } from '@toolpost/protocol';
import type { ModelCall } from './step-collector.ts';

const LIMIT = 5;
const REMEDY = 'Try another way, or say what is missing.';

/** The result of a call that was stopped. */
export const NOT_RUN = `Stopped: this call was made five times in a row with the same result, so it was not run again. ${REMEDY}`;

/** How a call of an answer ended; without a record an abort kept it from starting. */
export interface CallEnd {
  readonly record: CallRecord | undefined;
  /** It was not run: the very same call was stopped before. */
  readonly isStopped: boolean;
}

/** What came of a whole answer's calls. */
export interface RoundVerdict {
  /** What the model is told behind the result of each call, where there is something. */
  readonly notes: readonly (string | undefined)[];
  /** Every call repeats what the model was told, after an earlier answer, to stop. */
  readonly isStuck: boolean;
}

/**
 * Watches for a model that is stuck: one that makes the same call, with the same result, five times in a row, in answers
 * that follow one another or within one. Each call is watched by itself, whatever else its answer calls. Calls that were
 * refused for their arguments or their name count as the same whatever the arguments were, once an answer.
 */
export interface RepetitionWatch {
  /** The calls of the next answer. */
  startRound(): RoundWatch;
}

export interface RoundWatch {
  /**
   * Runs a call, or has it refused when it is stopped. To be called in the order of the calls; waits for earlier ones of
   * the same words where their results decide. Neither function may reject.
   */
  run(call: ModelCall, run: CallRunner, refuse: CallRunner): Promise<CallEnd>;
  /** Takes the round when all of its calls have ended. */
  end(calls: readonly ModelCall[], ends: readonly CallEnd[]): RoundVerdict;
}

type CallRunner = () => Promise<CallRecord | undefined>;

/** How often in a row a call, by its very words, had one result. */
interface Streak {
  readonly result: string;
  readonly count: number;
}

interface Watched {
  readonly streaks: ReadonlyMap<string, Streak>;
  /** Refused calls, by name and outcome: in how many answers in a row. */
  readonly refusals: ReadonlyMap<string, number>;
  /** Words of calls that are not run again. */
  readonly stopped: ReadonlySet<string>;
}

const NOTHING: Watched = { streaks: new Map(), refusals: new Map(), stopped: new Set() };

export function createRepetitionWatch(): RepetitionWatch {
  let before = NOTHING;
  return {
    startRound() {
      const running = new Map<string, Promise<CallEnd>[]>();
      return {
        run(call, run, refuse) {
          const earlier = running.get(literal(call)) ?? [];
          const end = runUnlessStopped({ call, run, refuse }, earlier, before);
          running.set(literal(call), [...earlier, end]);
          return end;
        },
        end(calls, ends) {
          const { notes, isStuck, watched } = judge(calls, ends, before);
          before = watched;
          return { notes, isStuck };
        },
      };
    },
  };
}

interface Running {
  readonly call: ModelCall;
  readonly run: CallRunner;
  readonly refuse: CallRunner;
}

async function runUnlessStopped(
  { call, run, refuse }: Running,
  earlier: readonly Promise<CallEnd>[],
  { streaks, stopped }: Watched,
): Promise<CallEnd> {
  const words = literal(call);
  const streak = streaks.get(words);
  let isStopped = stopped.has(words);
  // Only where those before it may have used up the limit do their results matter.
  if (!isStopped && (streak?.count ?? 0) + earlier.length >= LIMIT) {
    isStopped = hasReached((await Promise.all(earlier)).reduce((so, end) => goOn(so, call, end), streak));
  }
  return { record: await (isStopped ? refuse() : run()), isStopped };
}

function judge(
  calls: readonly ModelCall[],
  ends: readonly CallEnd[],
  before: Watched,
): RoundVerdict & { readonly watched: Watched } {
  const streaks = new Map<string, Streak>();
  const refusals = new Map<string, number>();
  const stopped = new Set<string>();
  const notes: (string | undefined)[] = [];
  let isStuck = true;
  calls.forEach((call, index) => {
    const end = ends[index] ?? { record: undefined, isStopped: false };
    const words = literal(call);
    const refusal = refusalOf(call, end);
    const streak = goOn(streaks.get(words) ?? before.streaks.get(words), call, end);
    if (streak && refusal === undefined) streaks.set(words, streak);
    const isRepeated = refusal !== undefined && refusals.has(refusal);
    if (refusal !== undefined) refusals.set(refusal, (before.refusals.get(refusal) ?? 0) + 1);
    const count = refusal === undefined ? (streak?.count ?? 0) : (refusals.get(refusal) ?? 0);
    if (count >= LIMIT || end.isStopped) stopped.add(words);
    notes.push(count === LIMIT && !end.isStopped && !isRepeated ? loopWarning(call) : undefined);
    isStuck &&= refusal === undefined ? before.stopped.has(words) : count > LIMIT;
  });
  return { notes, isStuck, watched: { streaks, refusals, stopped } };
}

/** The streak of a call's words with one more of it; one that was not run leaves it as it is. */
function goOn(streak: Streak | undefined, call: ModelCall, end: CallEnd): Streak | undefined {
  if (end.isStopped || refusalOf(call, end) !== undefined) return streak;
  const result = JSON.stringify([end.record?.outcome, end.record?.text, digestOfMedia(end.record)]);
  return { result, count: streak?.result === result ? streak.count + 1 : 1 };
}

/** Pictures tell results apart as texts do: two screenshots have the same words. */
function digestOfMedia(record: CallRecord | undefined): string | undefined {
  const media = record?.content.filter(({ type }) => type !== 'text') ?? [];
  return media.length === 0 ? undefined : createHash('sha256').update(JSON.stringify(media)).digest('base64');
}

function hasReached(streak: Streak | undefined): boolean {
  return streak !== undefined && streak.count >= LIMIT;
}

function literal(call: ModelCall): string {
  return JSON.stringify([call.name, call.arguments]);
}

function refusalOf(call: ModelCall, { record, isStopped }: CallEnd): string | undefined {
  if (isStopped || (record?.outcome !== 'invalid-input' && record?.outcome !== 'not-found')) return undefined;
  return JSON.stringify([call.name, record.outcome]);
}

function loopWarning({ name }: ModelCall): string {
  return `[Stopped: ${name} was called five times in a row with the same result. The same call is not run again. ${REMEDY}]`;
}

/** Why a turn ended whose model went on all the same. */
export function loopReason(calls: readonly ModelCall[]): string {
  const names = [...new Set(calls.map(({ name }) => name))].join(', ');
  return `Stopped: ${names} was called again and again with the same result. ${REMEDY}`;
}
