import { formatDuration } from '@toolpost/protocol';
import type { RegisteredTool } from '../registry/registered-tool.ts';
import type { ResultSoFar } from '../runtimes/runtime.ts';
import type { CallContext } from './call-context.ts';
import type { ReadyCall } from './call-in-progress.ts';
import { CallStopped, cancelledBefore } from './call-stopped.ts';
import { Deadline, type DeadlineLimits, type DeadlineOwner } from './deadline.ts';
import { runnerFor } from './runner-for.ts';

export interface RunLimits extends DeadlineLimits {
  /** Named in the error, with whose limit it was, so that its reader knows what to change. */
  readonly tool: RegisteredTool;
  /** The limit that came with the call, in ms. */
  readonly callerMs: number | undefined;
  readonly abortSignal: AbortSignal | undefined;
}

/**
 * Runs a tool and settles once: with its value, its throw, or CallStopped `timed-out` or `cancelled`. The caller is
 * released at once; the tool is told through its context and may take its time to stop.
 */
export function runWithinDeadline(
  { tool, input }: ReadyCall,
  context: CallContext,
  limits: RunLimits,
): Promise<unknown> | unknown {
  if (limits.abortSignal?.aborted) throw cancelledBefore(tool.definition.name);
  try {
    const value = runnerFor(tool, context.session.tenant).execute(tool.definition, input, context);
    if (isThenable(value)) return new CallRace(context, limits).against(value);
    context.close();
    return value;
  } catch (error) {
    context.close();
    throw error;
  }
}

/** The tool against its deadline and its caller's signal: whoever is first settles the call. */
class CallRace implements DeadlineOwner {
  readonly #context: CallContext;
  readonly #limits: RunLimits;
  readonly #deadline: Deadline;
  #resolve: ((value: unknown) => void) | undefined;
  #reject: ((reason: unknown) => void) | undefined;

  constructor(context: CallContext, limits: RunLimits) {
    this.#context = context;
    this.#limits = limits;
    this.#deadline = new Deadline(limits, this);
    context.attach(this.#deadline);
  }

  against(running: PromiseLike<unknown>): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
      this.#deadline.start(performance.now());
      const { abortSignal } = this.#limits;
      // The tool may have been cancelled by what it did before it first waited: its event is over.
      if (abortSignal?.aborted) this.handleEvent();
      else abortSignal?.addEventListener('abort', this, ONCE);
      // A thenable of the plugin's own may throw, or answer twice.
      Promise.resolve(running).then(
        (value) => {
          this.#finish();
          this.#resolve?.(value);
        },
        (error) => this.#fail(error),
      );
    });
  }

  expire(limitMs: number): void {
    this.#fail(timedOut(this.#limits, limitMs, this.#context.soFar('timed-out')));
    this.#context.abort('timed-out');
  }

  /** The caller's signal was aborted. */
  handleEvent(): void {
    this.#fail(cancelled(this.#limits, this.#context.soFar('cancelled')));
    this.#context.abort('cancelled');
  }

  #fail(reason: unknown): void {
    this.#finish();
    this.#reject?.(reason);
  }

  #finish(): void {
    this.#deadline.stop();
    this.#limits.abortSignal?.removeEventListener('abort', this);
    this.#context.close();
  }
}

const ONCE = { once: true } as const;

function timedOut(limits: RunLimits, limitMs: number, soFar: ResultSoFar | undefined): CallStopped {
  const { tool, maxMs, idleMs } = limits;
  const limit = formatDuration(limitMs);
  const which = maxMs !== undefined && limitMs === idleMs ? `it was silent for ${limit}` : `its time limit is ${limit}`;
  const end = tool.plugin.runner.isInProcess
    ? 'It was told to stop; its work goes on until it notices the abort'
    : 'It was stopped; what it had begun may be half done';
  return new CallStopped(
    'timed-out',
    `The tool ${tool.definition.name} timed out: ${which}. ${end}. Ask for less at once, or ${remedy(limits, limitMs)}.`,
    soFar,
  );
}

/** The shortest limit was the caller's, the tool's own, or the plugin's. */
function remedy({ tool: { definition, plugin }, callerMs, maxMs }: RunLimits, limitMs: number): string {
  if (limitMs === callerMs) return 'give it more time: this limit came with the call';
  if (limitMs === maxMs) return `raise \`maxTimeout\` in the manifest of the plugin ${plugin.id}`;
  if (limitMs === definition.timeoutMs) {
    return `raise \`timeout\` of the tool itself, which the limit of its plugin, ${formatDuration(plugin.timeoutMs)}, bounds`;
  }
  // The host's own tools and those of the program that embeds it have no manifest.
  if (plugin.id === 'app' || plugin.id === 'builtin') return 'in more calls: no setting raises this limit';
  return `raise \`timeout\` in the manifest of the plugin ${plugin.id} (30s where there is none)`;
}

function cancelled({ tool }: RunLimits, soFar: ResultSoFar | undefined): CallStopped {
  return new CallStopped(
    'cancelled',
    `The call of ${tool.definition.name} was cancelled. What it had begun may be half done.`,
    soFar,
  );
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}
