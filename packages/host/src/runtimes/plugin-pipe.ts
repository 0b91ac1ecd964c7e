import { setTimeout as sleep } from 'node:timers/promises';
import { createLineSplitter, DEFAULT_MAX_LINE_BYTES } from '@toolpost/protocol';
import { describeEnd } from '../processes/describe-end.ts';
import { createLineWriter, type LineWriter } from '../processes/line-writer.ts';
import { openLogFile, pluginLogPath } from '../processes/log-file.ts';
import { processRegistryOf } from '../processes/process-registry.ts';
import { type ProcessExit, type StartedProcess, startProcess } from '../processes/start-process.ts';
import { createStderrTail } from '../processes/stderr-tail.ts';
import { type DiscoveredPlugin, PluginCrash, type RuntimeContext } from './runtime.ts';

/** A process that closes its output is about to exit; so long it may take to show its status. */
const EXIT_AFTER_EOF_MS = 500;
/** What a descendant out of reach holds of the pipes is given up after this. */
const DRAIN_AFTER_KILL_MS = 250;
const TERMINATE_GRACE_MS = 200;

/** How a plugin's process is started. */
export interface Launch {
  command: string;
  args: string[];
  cwd: string;
  env: Record<string, string>;
}

export interface PipeOptions {
  plugin: DiscoveredPlugin;
  context: RuntimeContext;
  launch: Launch;
}

export interface PipeHandlers {
  /** A line of its standard output, without its end. */
  onLine(text: string): void;
  /** A line past the limit was dropped; `head` is its start. */
  onOverlong(reason: string, head: string): void;
  /** It takes no more messages; what it has written before may still come. */
  onClosing(): void;
  /** Nothing more will come. Called once. */
  onClosed(crash: PluginCrash): void;
}

/** A plugin's process and its three streams, from start to the moment when nothing of it is left. */
export class PluginPipe {
  readonly #options: PipeOptions;
  readonly #handlers: PipeHandlers;
  readonly #process: StartedProcess;
  readonly #writer: LineWriter;
  readonly #stderr = createStderrTail();
  readonly #finishLines: () => void;
  readonly #finishStderr: () => void;
  #exit: ProcessExit | undefined;
  #ended: Promise<void> | undefined;

  /** @throws Error that names the program and the remedy when it cannot be started. */
  static async open(options: PipeOptions, handlers: PipeHandlers): Promise<PluginPipe> {
    const registry = processRegistryOf(options.context.homeDir);
    return new PluginPipe(options, handlers, await startProcess({ ...options.launch, registry }));
  }

  private constructor(options: PipeOptions, handlers: PipeHandlers, started: StartedProcess) {
    this.#options = options;
    this.#handlers = handlers;
    this.#process = started;
    this.#writer = createLineWriter(started.stdin, () => {
      void this.kill('was ended because it does not read its standard input');
    });
    this.#finishStderr = this.#drainStderr();
    this.#finishLines = this.#readLines();
    void started.exited.then((exit) => {
      this.#exit = exit;
      return this.#end(undefined);
    });
    // EPIPE: it reads no more, so it cannot be called either.
    started.stdin.once('error', () => void this.#end(undefined));
  }

  /** @throws TypeError when the message is not JSON. */
  write(message: unknown): void {
    this.#writer.write(message);
  }

  writeJson(json: string, isAlone: boolean): void {
    this.#writer.writeJson(json, isAlone);
  }

  /** How much it has not read yet, in characters. */
  get backlog(): number {
    return this.#writer.backlog;
  }

  get pid(): number {
    return this.#process.pid;
  }

  /** The end of its stderr so far, for messages. */
  get stderrLines(): string[] {
    return this.#stderr.lines();
  }

  /** Ends it at once: `reason` goes to all who wait, behind the plugin's name. Resolves when nothing is left. */
  kill(reason: string): Promise<void> {
    return this.#end(reason);
  }

  /** Ends it: first by the end of its input, then by SIGTERM, then by SIGKILL. */
  async stop(graceMs: number): Promise<void> {
    this.#writer.end();
    await Promise.race([this.#process.exited, sleep(graceMs, undefined, { ref: false })]);
    if (!this.#exit) await this.#process.terminate(TERMINATE_GRACE_MS);
    await this.#end(undefined);
  }

  #end(reason: string | undefined): Promise<void> {
    this.#ended ??= this.#runEnd(reason);
    return this.#ended;
  }

  async #runEnd(reason: string | undefined): Promise<void> {
    const { exited, drained, stdout, stderr } = this.#process;
    this.#handlers.onClosing();
    if (reason !== undefined)
      this.#handlers.onClosed(new PluginCrash(`The plugin ${this.#options.plugin.id} ${reason}.`));
    else if (!this.#exit) await Promise.race([exited, sleep(EXIT_AFTER_EOF_MS, undefined, { ref: false })]);
    const gone = this.#process.kill();
    if (reason === undefined) {
      const exit = this.#exit;
      await Promise.race([drained, gone.then(() => sleep(DRAIN_AFTER_KILL_MS, undefined, { ref: false }))]);
      this.#finishLines();
      this.#finishStderr();
      this.#handlers.onClosed(this.#describeCrash(exit));
    }
    await gone;
    this.#finishStderr();
    stdout.destroy();
    stderr.destroy();
  }

  #describeCrash(exit: ProcessExit | undefined): PluginCrash {
    const { plugin, context } = this.#options;
    const { commandLine } = this.#process;
    const logPath = pluginLogPath(context.homeDir, plugin.id);
    return new PluginCrash(
      describeEnd({ pluginId: plugin.id, commandLine, exit, stderrLines: this.stderrLines, logPath }),
    );
  }

  /** Reads stdout to its end. Returns what delivers a last line without LF. */
  #readLines(): () => void {
    const { context, plugin } = this.#options;
    const maxLineBytes = plugin.manifest.maxLineBytes ?? DEFAULT_MAX_LINE_BYTES;
    const splitter = createLineSplitter({
      maxLineBytes,
      onLine: (text) => this.#handlers.onLine(text),
      onOverlongLine: (_bytes, head) => {
        const reason = `the plugin ${plugin.id} wrote a line longer than its limit of ${describeBytes(maxLineBytes)} (maxLineBytes in its manifest)`;
        context.log(`dropped on stdout, ${reason}`, 'warn');
        this.#handlers.onOverlong(reason, head);
      },
      decode: decodeUtf8,
    });
    const { stdout } = this.#process;
    stdout.on('data', (chunk: Buffer) => splitter.push(chunk));
    stdout.once('end', () => void this.#end(undefined));
    return () => splitter.end();
  }

  /** Always read, whoever looks: a full pipe would stop the plugin. Returns what writes the last that was kept back. */
  #drainStderr(): () => void {
    const { context, plugin } = this.#options;
    const log = openLogFile(pluginLogPath(context.homeDir, plugin.id));
    const mask = context.maskBytes?.();
    const keep = (bytes: Uint8Array): void => {
      if (bytes.length === 0) return;
      log.write(bytes);
      this.#stderr.push(bytes);
    };
    this.#process.stderr.on('data', (chunk: Buffer) => keep(mask?.push(chunk) ?? chunk));
    return () => {
      if (mask) keep(mask.end());
    };
  }
}

function describeBytes(bytes: number): string {
  return bytes % (1024 * 1024) === 0 ? `${bytes / (1024 * 1024)} MiB` : `${bytes} bytes`;
}

/** Node's decoder, which is faster than a TextDecoder on short texts. */
function decodeUtf8(bytes: Uint8Array): string {
  const buffer = bytes instanceof Buffer ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return buffer.toString('utf8');
}
