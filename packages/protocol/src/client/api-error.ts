import type { ErrorCode } from '../error-codes.ts';

/** What the server says about a request that failed, or why there was no answer (then `status` is 0). */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: ErrorCode | undefined;

  constructor(status: number, code: ErrorCode | undefined, message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.status = status;
    this.code = code;
  }

  /** Whether the same request may well be answered later. */
  get isPassing(): boolean {
    return this.status === 0 || this.status === 408 || this.status === 429 || this.status >= 500;
  }
}
