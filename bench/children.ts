import { type ChildProcessByStdio, execFileSync, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';

/** The MCP SDKs add a listener to a stream at every write that has to wait, and Node warns of it. */
const QUIET = '--disable-warning=MaxListenersExceededWarning';

/** The program itself: what a version manager puts on the PATH may be a script that takes longer than Python. */
const PYTHON = execFileSync('python3', ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' }).trim();

/** Programs in `children/`, each with a tool that gives its text back, or without any protocol at all. */
export const CHILDREN = {
  rawNode: { executable: process.execPath, args: [childFile('raw.js')] },
  rawPython: { executable: PYTHON, args: [childFile('raw.py')] },
  toolpostNode: { executable: process.execPath, args: [childFile('toolpost.js')] },
  toolpostPython: { executable: PYTHON, args: [childFile('toolpost-tool.py')] },
  mcp1: { executable: process.execPath, args: [QUIET, childFile('mcp-1.js')] },
  mcp2: { executable: process.execPath, args: [QUIET, childFile('mcp-2.js')] },
} as const satisfies Record<string, Program>;

export interface Program {
  readonly executable: string;
  readonly args: readonly string[];
}

function childFile(name: string): string {
  return fileURLToPath(new URL(`./children/${name}`, import.meta.url));
}

const LF = 0x0a;

/** A child that gives back the lines it gets: the least that a call over a pipe can cost. */
export class RawPipe {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  /** Of the lines that are on their way, in their order. */
  readonly #waiting: (() => void)[] = [];

  constructor({ executable, args }: Program) {
    this.#child = spawn(executable, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    this.#child.stdout.on('data', (chunk: Buffer) => {
      for (let at = chunk.indexOf(LF); at !== -1; at = chunk.indexOf(LF, at + 1)) this.#waiting.shift()?.();
    });
  }

  /** Writes one line and waits until it is back. */
  send(line: string): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#child.stdin.write(line);
    });
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#child.once('close', () => resolve());
      this.#child.stdin.end();
    });
  }
}
