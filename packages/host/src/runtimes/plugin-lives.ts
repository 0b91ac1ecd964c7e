import { messageOf } from '@toolpost/protocol';
import type { LogLevel } from '@toolpost/sdk';
import { type Backoff, createBackoff } from '../processes/backoff.ts';
import { createQuietLog } from '../processes/quiet-log.ts';
import { PluginCrash, type RunningProcess, type RuntimeContext } from './runtime.ts';

/** One life of a plugin: a process or a connection, from its start to the moment when nothing of it is left. */
export interface PluginLife {
  /** It takes calls. */
  readonly isOpen: boolean;
  /** Absent where it is no process. */
  readonly process?: Omit<RunningProcess, 'starts'> | undefined;
  /** Lets it end in order. Resolves when nothing of it is left. */
  stop(): Promise<void>;
  /** Ends it at once, or waits for the end that has begun. */
  kill(reason: string): Promise<void>;
}

/** What a life is started with. */
export interface LifeParts {
  /** The plugin's own, with a log that a flood of notes does not fill. */
  readonly context: RuntimeContext;
  /** Gives up the start. */
  readonly abortSignal: AbortSignal;
  /** Called once when it ends without being asked to. `isKilled`: the host ended it. */
  onEnd(error: Error, isKilled: boolean): void;
}

export interface PluginLivesOptions<Life extends PluginLife, Offer> {
  readonly pluginId: string;
  readonly context: RuntimeContext;
  /** @throws Error that says how it failed, once nothing of it is left. */
  begin(parts: LifeParts): Promise<{ readonly life: Life; readonly offer: Offer }>;
  /** Takes what a new life offers in the place of what was known. @returns whether that is something else. */
  learn(offer: Offer): boolean;
}

/** The lives of a plugin, one after the other: the one that runs now, and how the next one is begun. */
export class PluginLives<Life extends PluginLife, Offer> {
  readonly #options: PluginLivesOptions<Life, Offer>;
  readonly #context: RuntimeContext;
  readonly #backoff: Backoff = createBackoff();
  readonly #closing = new AbortController();
  /** Aborts when it is closed, and as soon as the host closes. */
  readonly signal: AbortSignal;
  #current: Life | undefined;
  #beginning: Promise<void> | undefined;
  #closed: Promise<void> | undefined;
  #starts = 0;

  constructor(options: PluginLivesOptions<Life, Offer>) {
    const { context } = options;
    this.#options = options;
    // A plugin may fill its output with what is nobody's answer, and each note of it is a write.
    this.#context = { ...context, log: createQuietLog<LogLevel>((...note) => context.log(...note)) };
    this.signal = context.closing ? AbortSignal.any([this.#closing.signal, context.closing]) : this.#closing.signal;
  }

  /** The plugin's own, with a log that a flood of notes does not fill. */
  get context(): RuntimeContext {
    return this.#context;
  }

  /** The life that runs, or that has ended and has no successor yet. */
  get current(): Life | undefined {
    return this.#current;
  }

  get isReady(): boolean {
    return this.#current?.isOpen === true;
  }

  get process(): RunningProcess | undefined {
    const running = this.isReady ? this.#current?.process : undefined;
    return running && { ...running, starts: this.#starts };
  }

  /** Begins the first one. @throws HostError when it does not start. */
  async begin(): Promise<void> {
    this.#options.learn(await this.#beginOne());
  }

  /** Makes sure that one runs, with backoff after repeated crashes. @throws PluginCrash */
  async ready(): Promise<void> {
    if (this.signal.aborted) throw this.crash('is closed');
    if (this.isReady) return;
    this.#beginning ??= this.#beginAgain().finally(() => {
      this.#beginning = undefined;
    });
    await this.#beginning;
  }

  /** Resolves when nothing of the plugin runs any more. Never rejects; may be called twice. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  /** An error of the plugin that `what` says of it. */
  crash(what: string): PluginCrash {
    return new PluginCrash(`The plugin ${this.#options.pluginId} ${what}.`);
  }

  async #beginAgain(): Promise<void> {
    // The former one may still be ending; two at once would fight over files and ports.
    await this.#current?.kill('is being replaced');
    try {
      await this.#backoff.wait(this.signal);
      this.#context.checkBeforeRestart?.();
      await this.#context.resolveSettings?.();
      if (this.#options.learn(await this.#beginOne())) this.#context.onStateChange({ state: 'tools-changed' });
    } catch (error) {
      this.#backoff.failed();
      throw new PluginCrash(messageOf(error), { cause: error });
    }
  }

  async #beginOne(): Promise<Offer> {
    const { life, offer } = await this.#options.begin({
      context: this.#context,
      abortSignal: this.signal,
      onEnd: (error, isKilled) => {
        if (!isKilled) this.#backoff.failed();
        this.#context.onStateChange({ state: 'stopped', reason: error.message, isKilled });
      },
    });
    this.#current = life;
    this.#starts += 1;
    this.#backoff.started();
    return offer;
  }

  async #close(): Promise<void> {
    this.#closing.abort(this.crash('is being closed'));
    await this.#beginning?.catch(() => undefined);
    await this.#current?.stop();
  }
}
