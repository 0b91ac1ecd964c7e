import { createWriteStream, rmSync, type WriteStream } from 'node:fs';
import { createOutputFile, type OutputPlace } from '../settings/create-output-file.ts';

/** What is longer goes to a file: from about here on the host's cap shows a model head and tail only. */
const SPILLED_BYTES = 100_000;
/** More than anybody reads; a command that never stops printing must not fill the disk. */
const MAX_FILE_BYTES = 256 * 1024 * 1024;
const BUFFERED_BYTES = 8 * 1024 * 1024;

export interface KeptOutput {
  readonly path: string;
  /** Bytes in the file. */
  readonly bytes: number;
  /** The file has only the start: it is full, or the disk is. */
  readonly isCut: boolean;
}

/** The file that an output is written to while it comes, from the moment it is long. */
export interface OutputSpill {
  push(piece: Buffer): void;
  /** The file as it is, with what was pushed; undefined when there is none. */
  soFar(): KeptOutput | undefined;
  /** Waits until all is written. Undefined when the output was short, or no file could be made. */
  finish(): Promise<KeptOutput | undefined>;
  /** For an output that nobody will be told about. */
  discard(): Promise<void>;
}

export interface SpillOptions {
  homeDir: string;
  place: OutputPlace;
  /** Called with true when the disk is behind and nothing more should come, with false when it may go on. */
  onPause(isPaused: boolean): void;
}

export function createOutputSpill({ homeDir, place, onPause }: SpillOptions): OutputSpill {
  let early: Buffer[] = [];
  let earlyBytes = 0;
  let file: OutputFile | undefined;

  return {
    push(piece) {
      if (file !== undefined) {
        file.write(piece);
        return;
      }
      early.push(piece);
      earlyBytes += piece.length;
      if (earlyBytes <= SPILLED_BYTES) return;
      file = openFile(homeDir, place, onPause);
      file.write(Buffer.concat(early));
      early = [];
    },
    soFar: () => file?.soFar(),
    finish: async () => file?.finish(),
    async discard() {
      const kept = await file?.finish();
      if (kept) rmSync(kept.path, { force: true });
    },
  };
}

interface OutputFile {
  write(piece: Buffer): void;
  soFar(): KeptOutput | undefined;
  finish(): Promise<KeptOutput | undefined>;
}

/** A full disk does not fail the command: its output then has a head and a tail only. */
function openFile(homeDir: string, place: OutputPlace, onPause: SpillOptions['onPause']): OutputFile {
  try {
    return createOutputStream(homeDir, place, onPause);
  } catch {
    return { write: () => undefined, soFar: () => undefined, finish: async () => undefined };
  }
}

function createOutputStream(homeDir: string, place: OutputPlace, onPause: SpillOptions['onPause']): OutputFile {
  const { path, fd } = createOutputFile(homeDir, place);
  const stream = createWriteStream(path, { fd, highWaterMark: BUFFERED_BYTES });
  let bytes = 0;
  let isCut = false;
  stream.on('drain', () => onPause(false));
  stream.on('error', () => {
    isCut = true;
    onPause(false);
  });

  return {
    write(piece) {
      isCut ||= bytes + piece.length > MAX_FILE_BYTES;
      if (isCut) return;
      bytes += piece.length;
      if (!stream.write(piece)) onPause(true);
    },
    soFar: () => ({ path, bytes, isCut }),
    async finish() {
      await close(stream);
      return { path, bytes: Math.min(bytes, stream.bytesWritten), isCut };
    },
  };
}

function close(stream: WriteStream): Promise<void> {
  return new Promise((resolve) => {
    if (stream.closed) return resolve();
    stream.once('close', () => resolve());
    stream.end();
  });
}
