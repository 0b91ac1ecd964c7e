import {
  type ActivateAnswer,
  type ErrorCode,
  formatDuration,
  HOST_METHODS,
  HostError,
  type JsonObject,
  kindOfPluginMessage,
  messageOf,
  PROTOCOL_VERSIONS,
  parseWireLine,
  quoteValue,
  readActivateAnswer,
  readTextAnswer,
} from '@toolpost/protocol';
import { pluginLogPath } from '../../processes/log-file.ts';
import type { LifeParts, PluginLife } from '../plugin-lives.ts';
import { type PipeHandlers, type PipeOptions, PluginPipe } from '../plugin-pipe.ts';
import type { ProcessExtension, ProcessLink } from '../process-extension.ts';
import { PluginCrash, type RuntimeContext } from '../runtime.ts';
import type { Dialogue, DialogueProcess } from './dialogue.ts';
import { type AnswerRequest, createRequestAnswerer } from './plugin-requests.ts';
import { createStartNoise, misnamedField, type StartNoise, wrappedFields } from './start-noise.ts';
import { createVersionOne } from './version-one.ts';
import { createVersionTwo } from './version-two.ts';

/** Enough for a plugin to leave its loop; one that does not is ended. */
const STOP_GRACE_MS = 300;

export interface PluginProcessOptions extends PipeOptions, LifeParts {
  context: RuntimeContext;
  extension?: ProcessExtension | undefined;
}

/** One life of a plugin: what it answered to `activate`, and the dialogue in the version that it chose. */
export class PluginProcess implements PipeHandlers, PluginLife {
  readonly #options: PluginProcessOptions;
  readonly #activation = Promise.withResolvers<ActivateAnswer>();
  readonly #answerRequest: AnswerRequest;
  readonly #noise: StartNoise;
  readonly #startedAt = Date.now();
  #pipe: PluginPipe | undefined;
  #dialogue: Dialogue | undefined;
  #isClosing = false;
  #isStopping = false;
  #isKilled = false;

  /**
   * Starts a plugin and has it answer `activate` within its `startTimeoutMs`.
   * @throws HostError that says how it failed, once nothing of it is left.
   */
  static async start(options: PluginProcessOptions): Promise<{ process: PluginProcess; answer: ActivateAnswer }> {
    const started = new PluginProcess(options);
    if (options.abortSignal.aborted) throw started.#givenUp();
    try {
      started.#pipe = await PluginPipe.open(options, started);
    } catch (error) {
      throw started.#startError('PLUGIN_LOAD_FAILED', error);
    }
    try {
      return { process: started, answer: await started.#activate() };
    } catch (error) {
      await started.kill('could not be started');
      throw error;
    }
  }

  private constructor(options: PluginProcessOptions) {
    this.#options = options;
    this.#noise = createStartNoise(pluginLogPath(options.context.homeDir, options.plugin.id));
    this.#answerRequest = createRequestAnswerer({
      settings: options.context.settings,
      publish: publisherOf(options.context),
      write: (answer) => this.#pipe?.write(answer),
    });
  }

  /** What to call it through; undefined when it takes no calls. */
  get dialogue(): Dialogue | undefined {
    return this.#isClosing || this.#isStopping ? undefined : this.#dialogue;
  }

  get isOpen(): boolean {
    return this.dialogue !== undefined;
  }

  get process(): PluginLife['process'] {
    const pipe = this.#pipe;
    return pipe && { pid: pipe.pid, startedAt: this.#startedAt, lastStderr: pipe.stderrLines };
  }

  /** Lets it finish or cancel what is in flight, asks it to end, and ends it. Resolves when nothing is left. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#dialogue?.finish();
    this.#pipe?.write({ method: HOST_METHODS.deactivate });
    await this.#pipe?.stop(STOP_GRACE_MS);
  }

  /** Ends it at once, or waits for the end that has begun. Resolves when nothing is left. */
  async kill(reason: string): Promise<void> {
    if (!this.#isClosing) this.#isKilled = true;
    await this.#pipe?.kill(reason);
  }

  onLine(text: string): void {
    const answer = readTextAnswer(text);
    if (answer && this.#dialogue?.receiveText?.(answer.id, answer.text)) return;
    const message = parseWireLine(text);
    if (!message) this.#onNoise(text);
    else if (!this.#dialogue) this.#receiveBeforeActivation(message);
    else if (!this.#options.extension?.onMessage(message)) this.#dialogue.receive(message);
  }

  /** A line that is not a JSON object. */
  #onNoise(text: string): void {
    if (!this.#dialogue && text.trim() !== '') this.#noise.add(text);
    this.#options.context.log(`ignored on stdout, not a JSON object: ${quoteValue(text)}`, 'debug');
  }

  onOverlong(reason: string, head: string): void {
    if (this.#dialogue) {
      if (!this.#options.extension?.onOverlong(reason, head)) this.#dialogue.receiveOverlong(reason, head);
    } else this.#activation.reject(this.#startError('PROTOCOL_MISMATCH', reason));
  }

  onClosing(): void {
    this.#isClosing = true;
  }

  onClosed(crash: PluginCrash): void {
    if (!this.#dialogue) {
      const ended = new PluginCrash(`${crash.message}${this.#noise.describe()}`, { cause: crash });
      this.#activation.reject(this.#startError('PLUGIN_EXITED', ended));
    }
    this.#dialogue?.fail(crash);
    if (this.#dialogue) this.#options.extension?.onEnded(crash);
    if (this.#dialogue && !this.#isStopping) this.#options.onEnd(crash, this.#isKilled);
  }

  async #activate(): Promise<ActivateAnswer> {
    const { plugin, abortSignal } = this.#options;
    const { startTimeoutMs } = plugin.manifest;
    const giveUp = (): void => this.#activation.reject(this.#givenUp());
    const expire = (): void => {
      const reason = `it did not answer ${HOST_METHODS.activate} within ${formatDuration(startTimeoutMs)} (startTimeout in its manifest)`;
      this.#activation.reject(
        this.#startError('PLUGIN_LOAD_FAILED', `${reason}${this.#noise.describe()}${this.#lastWords()}`),
      );
    };
    const timer = setTimeout(expire, startTimeoutMs);
    abortSignal.addEventListener('abort', giveUp, { once: true });
    if (abortSignal.aborted) giveUp();
    this.#pipe?.write({
      method: HOST_METHODS.activate,
      params: { pluginId: plugin.id, protocolVersions: PROTOCOL_VERSIONS },
    });
    try {
      return await this.#activation.promise;
    } finally {
      clearTimeout(timer);
      abortSignal.removeEventListener('abort', giveUp);
    }
  }

  /** The dialogue begins with the answer itself: the next message may be in the same chunk. */
  #receiveBeforeActivation(message: JsonObject): void {
    const kind = kindOfPluginMessage(message);
    if (kind === 'request') this.#answerRequest(message, () => undefined);
    else if (kind === 'answer') this.#adopt(message);
    else this.#ignore(message);
  }

  /** A line of JSON may be a log's: a plugin whose answer is misnamed is told at once, and still has its time. */
  #ignore(message: JsonObject): void {
    this.#noise.add(message);
    const misnamed = misnamedField(message);
    const hint = misnamed === undefined ? '' : `; as the answer it has an ${misnamed}`;
    const level = misnamed === undefined ? 'debug' : 'warn';
    this.#options.context.log(`ignored on stdout before the answer to activate: ${quoteValue(message)}${hint}`, level);
  }

  #adopt(message: JsonObject): void {
    try {
      checkFields(message);
      const answer = readActivateAnswer(message);
      if (answer.error !== undefined)
        throw this.#startError('PLUGIN_LOAD_FAILED', `it refused to start: ${answer.error}`);
      const toPlugin: DialogueProcess = {
        write: (toSend) => this.#pipe?.write(toSend),
        writeJson: (json, isAlone) => this.#pipe?.writeJson(json, isAlone),
        kill: (reason) => void this.kill(reason),
        log: (text, level) => this.#options.context.log(text, level),
      };
      this.#options.extension?.onActivated(this.#linkOf(answer));
      this.#dialogue =
        answer.protocolVersion === 2 ? createVersionTwo(toPlugin, this.#answerRequest) : createVersionOne(toPlugin);
      this.#activation.resolve(answer);
    } catch (error) {
      this.#activation.reject(error instanceof HostError ? error : this.#startError('PROTOCOL_MISMATCH', error));
    }
  }

  #linkOf(answer: ActivateAnswer): ProcessLink {
    const process = this;
    return {
      answer,
      write: (message) => process.#pipe?.write(message),
      get backlog() {
        return process.#pipe?.backlog ?? 0;
      },
      answerRequest: this.#answerRequest,
    };
  }

  #givenUp(): HostError {
    return this.#startError('CONNECTION_CLOSED', 'the host is closing');
  }

  #startError(code: ErrorCode, reason: unknown): HostError {
    const { id } = this.#options.plugin;
    const message = messageOf(reason);
    const options = reason instanceof Error ? { cause: reason, pluginId: id } : { pluginId: id };
    return new HostError(code, `The plugin ${id} could not be started: ${message}`, options);
  }

  #lastWords(): string {
    const lines = this.#pipe?.stderrLines ?? [];
    return lines.length === 0 ? '' : `. Its last lines on stderr:\n${lines.map((line) => `  ${line}`).join('\n')}`;
  }
}

function publisherOf({ publish, tenant }: RuntimeContext): ((topic: unknown, data: unknown) => void) | undefined {
  return publish && tenant !== undefined ? (topic, data) => publish(topic, data, tenant) : undefined;
}

/** @throws TypeError for an answer that offers something under a name or in a place where nothing is looked for. */
function checkFields(message: JsonObject): void {
  const wrapped = wrappedFields(message);
  const problem =
    wrapped.length > 0
      ? `${wrapped.join(', ')} inside "result": the fields stand side by side, like {"${wrapped[0]}": ...}`
      : misnamedField(message);
  if (problem !== undefined) throw new TypeError(`its answer to ${HOST_METHODS.activate} has ${problem}`);
}
