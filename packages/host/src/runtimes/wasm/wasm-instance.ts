import { Worker } from 'node:worker_threads';
import { formatDuration } from '@toolpost/protocol';
import { PluginCrash, type RuntimeCallContext } from '../runtime.ts';
import type { InstanceService } from './instance-service.ts';
import { PACE } from './paced-posts.ts';
import { type LinkHandler, type ServedLink, serveHostLink } from './serve-host-link.ts';
import { workerFile } from './worker-file.ts';
import { CALL, type CallAnswer, type CallMessage, type WorkerPosts, type WorkerStart } from './worker-messages.ts';
import { CANCEL } from './worlds/cancel-watch.ts';
import type { GuestCall } from './worlds/guest-world.ts';

/** The JavaScript heap of one thread: the glue, and texts on their way. Guest memory has its own cap. */
const WORKER_HEAP_MB = 192;
/** What is new in that heap: V8 takes memory for it ahead of need, and a call leaves little behind. */
const WORKER_YOUNG_MB = 3;

/** A guest that loops hears nothing, and is ended after the first. */
const HEARING_MS = 150;
const CLEANING_MS = 1000;

export interface InstanceOptions {
  readonly pluginId: string;
  readonly start: Omit<WorkerStart, 'link'>;
  readonly services: readonly InstanceService[];
  readonly startTimeoutMs: number;
  /** Ends the start. */
  readonly abortSignal: AbortSignal;
  log(message: string, level: WorkerPosts['log']['level']): void;
}

export type Ready = WorkerPosts['ready'];

type PostHandlers = {
  [Kind in keyof WorkerPosts]: (payload: WorkerPosts[Kind], call?: RuntimeCallContext) => void;
} & { [PACE]: () => void };

/** One instance of a component, in a thread of its own. It runs one call at a time, and ends at the first that crashes. */
export class WasmInstance {
  readonly #options: InstanceOptions;
  readonly #worker: Worker;
  readonly #link: ServedLink;
  readonly #started = Promise.withResolvers<Ready>();
  #call: { context: RuntimeCallContext; answer: PromiseWithResolvers<CallAnswer> } | undefined;
  #killed: Promise<void> | undefined;
  #toldSession: GuestCall['session'] | undefined;
  #killTimer: NodeJS.Timeout | undefined;
  #ready: Ready = { declarations: [] };

  /** @throws PluginCrash with the reason when the guest cannot be constructed. */
  static async start(options: InstanceOptions): Promise<WasmInstance> {
    const instance = new WasmInstance(options);
    try {
      instance.#ready = await instance.#whenStarted();
      instance.#setAlive(false);
      return instance;
    } catch (error) {
      await instance.kill();
      throw error;
    }
  }

  private constructor(options: InstanceOptions) {
    this.#options = options;
    this.#link = serveHostLink({ handlers: this.#handlers(), currentCall: () => this.#call?.context });
    const { workerEnd } = this.#link;
    this.#worker = new Worker(workerFile('wasm-worker'), {
      workerData: { ...options.start, link: workerEnd } satisfies WorkerStart,
      transferList: [workerEnd.port],
      name: `toolpost wasm ${options.pluginId}`,
      // Nothing of the host's environment and flags is there to be found.
      env: {},
      execArgv: [],
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: WORKER_HEAP_MB, maxYoungGenerationSizeMb: WORKER_YOUNG_MB },
    });
    this.#worker.once('error', (error) => this.#end(`was ended: ${describeWorkerError(error)}`));
    this.#worker.once('exit', () => this.#end('was ended'));
    // Rejected when it ends before anybody waits.
    this.#started.promise.catch(() => undefined);
  }

  /** What the guest said of its tools when it was constructed, and V8's code for the glue when it made some. */
  get ready(): Ready {
    return this.#ready;
  }

  get isAlive(): boolean {
    return this.#killed === undefined;
  }

  /**
   * Runs one call; the caller sees to it that no other runs.
   * @throws PluginCrash when the guest traps, exits or is killed: the instance is dead then.
   */
  async call(call: GuestCall, context: RuntimeCallContext): Promise<unknown> {
    if (!this.isAlive) throw this.#crash('was ended before the call was sent');
    const answer = Promise.withResolvers<CallAnswer>();
    this.#call = { context, answer };
    this.#setAlive(true);
    this.#link.push(CALL, this.#messageOf(call));
    try {
      return await this.#settle(await answer.promise);
    } finally {
      this.#call = undefined;
      if (this.isAlive) this.#setAlive(false);
    }
  }

  /** The thread knows the session of the call before. */
  #messageOf({ id, toolName, input, session }: GuestCall): CallMessage {
    if (session === this.#toldSession) return { id, toolName, input };
    this.#toldSession = session;
    return { id, toolName, input, session };
  }

  /** Ends the thread and all that it holds in the host. Resolves when nothing of it is left. */
  kill(): Promise<void> {
    this.#killed ??= this.#kill();
    return this.#killed;
  }

  /**
   * Ends the guest, whose call was given up. One that may hear of it is told, and has a moment to say that it has heard;
   * then it has another one to clean up and to answer.
   */
  giveUp({ mayHear }: { mayHear: boolean }): void {
    const call = this.#call;
    if (!mayHear || !call) return void this.kill();
    this.#link.push(CANCEL, undefined);
    this.#killAfter(HEARING_MS);
    call.answer.promise.finally(() => clearTimeout(this.#killTimer)).catch(() => undefined);
  }

  #killAfter(ms: number): void {
    clearTimeout(this.#killTimer);
    this.#killTimer = setTimeout(() => void this.kill(), ms);
  }

  #settle(answer: CallAnswer): unknown {
    if (answer.kind === 'result') return answer.value;
    if (answer.kind === 'failed') return { content: answer.message, isError: true };
    void this.kill();
    throw this.#crash(answer.reason);
  }

  async #kill(): Promise<void> {
    this.#link.close();
    this.#tellWaiters('was ended');
    await Promise.all([this.#worker.terminate(), ...this.#options.services.map((service) => service.close())]);
  }

  #end(reason: string): void {
    this.#tellWaiters(reason);
    void this.kill();
  }

  /** Whoever waits for it hears why; the first reason counts. */
  #tellWaiters(reason: string): void {
    const crash = this.#crash(reason);
    this.#started.reject(crash);
    this.#call?.answer.reject(crash);
  }

  #crash(reason: string): PluginCrash {
    return new PluginCrash(`The plugin ${this.#options.pluginId} ${reason}`);
  }

  async #whenStarted(): Promise<Ready> {
    const { startTimeoutMs, abortSignal } = this.#options;
    const limit = formatDuration(startTimeoutMs);
    const timer = setTimeout(() => this.#end(`did not start within ${limit}`), startTimeoutMs);
    const giveUp = () => this.#end('is being closed');
    abortSignal.addEventListener('abort', giveUp, { once: true });
    if (abortSignal.aborted) giveUp();
    try {
      return await this.#started.promise;
    } finally {
      clearTimeout(timer);
      abortSignal.removeEventListener('abort', giveUp);
    }
  }

  /** An instance that waits for its next call keeps no process alive. */
  #setAlive(isAlive: boolean): void {
    if (isAlive) this.#worker.ref();
    else this.#worker.unref();
    this.#link.setAlive(isAlive);
  }

  #handlers(): Record<string, LinkHandler<RuntimeCallContext>> {
    const posts: PostHandlers = {
      ready: (ready) => this.#started.resolve(ready),
      broken: ({ reason }) => this.#end(reason),
      'cancel-heard': () => this.#killTimer && this.#killAfter(CLEANING_MS),
      answer: (answer) => this.#call?.answer.resolve(answer),
      log: ({ message, level }) => this.#options.log(message, level),
      output: ({ text, stream }, call) => call?.output(text, stream),
      progress: (update, call) => call?.progress(update),
      [PACE]: () => undefined,
    };
    const services = this.#options.services.map(({ handlers }) => handlers);
    return Object.assign({}, posts, ...services);
  }
}

function describeWorkerError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if ('code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY')
    return `its thread used more than ${WORKER_HEAP_MB} MB beside the guest's memory`;
  return error.message;
}
