/** What a subsystem knows of a failure beyond its text, for `filesystem-error-code` and its like. */
export interface IoErrorCodes {
  /** An `error-code` of wasi:filesystem. */
  readonly filesystem?: string;
  /** An `error-code` of wasi:http, in jco's form. */
  readonly http?: unknown;
  /** An `error-code` of wasi:sockets. */
  readonly network?: unknown;
}

/** The resource `error` of wasi:io. Sources and sinks throw it when an operation failed for good. */
export class IoError extends Error {
  override readonly name = 'IoError';
  readonly codes: IoErrorCodes;

  constructor(message: string, codes: IoErrorCodes = {}) {
    super(message);
    this.codes = codes;
  }

  toDebugString(): string {
    return this.message;
  }
}
