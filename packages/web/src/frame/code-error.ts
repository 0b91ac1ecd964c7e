import type { Failure } from './messages.ts';

/** Something is wrong with the code of an interface. `line` is the code's own, from 1. */
export class CodeError extends Error {
  readonly phase: Failure['phase'];
  readonly line: number | undefined;

  constructor(phase: Failure['phase'], message: string, line?: number) {
    super(message);
    this.phase = phase;
    this.line = line;
  }
}
