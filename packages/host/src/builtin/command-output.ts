import type { StartedProcess } from '../processes/start-process.ts';
import type { BuiltinCallContext, BuiltinSettings, OutputRedactor } from './builtin-tool.ts';
import { collapseProgress } from './collapse-progress.ts';
import { createOutputCollector } from './output-collector.ts';
import { createOutputSpill, type KeptOutput } from './output-spill.ts';
import { endOfWholeCharacters } from './whole-characters.ts';

/** More than any cap of the host lets through; the clients see the whole stream live. */
const MAX_KEPT_CHARACTERS = 2_000_000;

export interface FinishedOutput {
  /** Both streams as they came, as a terminal would show them in the end; of a very long one head and tail. */
  readonly text: string;
  /** Of both streams. */
  readonly bytes: number;
  /** The file with all of a long output. */
  readonly kept: KeptOutput | undefined;
  readonly isTruncated: boolean;
}

/** What a command prints: live to the clients, for the model, and when it is long to a file. In constant memory. */
export interface CommandOutput {
  /** Calls `listener` for each chunk that comes. */
  onChunk(listener: () => void): void;
  /** Whether reading stands still because the disk is behind. */
  readonly isPaused: boolean;
  finish(): Promise<FinishedOutput>;
  /** What has come so far, of a call that ends now: what still comes is left out. Its file is whole after `discard`. */
  cutOff(): FinishedOutput;
  /** For a call whose caller is gone. The file of an output that was cut off is kept, as somebody was told of it. */
  discard(): Promise<void>;
}

export function collectOutput(
  { stdout, stderr }: StartedProcess,
  { session, toolCallId, output }: BuiltinCallContext,
  { homeDir, redactor }: BuiltinSettings,
): CommandOutput {
  const collector = createOutputCollector(MAX_KEPT_CHARACTERS);
  const place = { session, callId: toolCallId, extension: 'txt' };
  let bytes = 0;
  let isPaused = false;
  let isCutOff = false;
  let notify = (): void => {};
  const onPause = (shouldPause: boolean): void => {
    isPaused = shouldPause;
    for (const stream of [stdout, stderr]) shouldPause ? stream.pause() : stream.resume();
  };
  const spill = createOutputSpill({ homeDir, place, onPause });
  const keep = (text: string, piece: Buffer): void => {
    collector.push(text);
    spill.push(piece);
  };
  const readers = [
    createReader({ pass: (text) => output(text, 'stdout'), keep, redactor }),
    createReader({ pass: (text) => output(text, 'stderr'), keep, redactor }),
  ] as const;
  [stdout, stderr].forEach((stream, index) => {
    stream.on('data', (chunk: Buffer) => {
      if (isCutOff) return;
      bytes += chunk.length;
      readers[index]?.push(chunk);
      notify();
    });
  });

  let ended: Omit<FinishedOutput, 'kept'> | undefined;
  const end = () => {
    if (ended) return ended;
    for (const reader of readers) reader.end();
    const text = collapseProgress(collector.text()).replace(/\n$/, '');
    ended = { text, bytes, isTruncated: collector.isTruncated };
    return ended;
  };

  return {
    onChunk(listener) {
      notify = listener;
    },
    get isPaused() {
      return isPaused;
    },
    finish: async () => ({ ...end(), kept: await spill.finish() }),
    cutOff() {
      isCutOff = true;
      return { ...end(), kept: spill.soFar() };
    },
    async discard() {
      if (isCutOff) await spill.finish();
      else await spill.discard();
    },
  };
}

interface ReaderOptions {
  /** Gets the text as it comes; whoever shows it redacts it. */
  pass(text: string): void;
  /** Gets the text with its secrets masked, and its bytes. */
  keep(text: string, bytes: Buffer): void;
  redactor: OutputRedactor | undefined;
}

/** One stream: whole characters, and of what is kept no secret in two halves. */
function createReader({ pass, keep, redactor }: ReaderOptions) {
  let begun: Buffer = Buffer.alloc(0);
  let held = '';

  const keepRedacted = (redact: OutputRedactor, end?: number): void => {
    const text = redact(held.slice(0, end));
    held = end === undefined ? '' : held.slice(end);
    keep(text, Buffer.from(text));
  };

  const take = (bytes: Buffer): void => {
    const text = bytes.toString();
    if (redactor?.isActive) {
      held += text;
      keepRedacted(redactor, redactor.holdBack(held));
    } else keep(text, bytes);
    // Last: whoever sees it may end the call, and what was seen is kept.
    pass(text);
  };

  return {
    push(chunk: Buffer): void {
      const bytes = begun.length === 0 ? chunk : Buffer.concat([begun, chunk]);
      const end = endOfWholeCharacters(bytes);
      begun = bytes.subarray(end);
      if (end > 0) take(end === bytes.length ? bytes : bytes.subarray(0, end));
    },
    end(): void {
      if (begun.length > 0) take(begun);
      if (redactor && held !== '') keepRedacted(redactor);
    },
  };
}
