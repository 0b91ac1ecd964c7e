import { IoError } from './io-error.ts';

/** `stream-error` of wasi:io, as jco takes it: thrown by a stream's methods, it is the guest's error value. */
export type StreamError = { readonly tag: 'closed' } | { readonly tag: 'last-operation-failed'; readonly val: IoError };

export const CLOSED: StreamError = { tag: 'closed' };

/** The error value for what a source or sink threw. Anything but an IoError is a bug, and stays one: a trap. */
export function streamErrorOf(thrown: unknown): StreamError {
  if (thrown instanceof IoError) return { tag: 'last-operation-failed', val: thrown };
  throw thrown;
}

/** A guest's u64 as a number of bytes, at most `max`. */
export function byteCount(length: bigint, max: number): number {
  return length > BigInt(max) ? max : Number(length);
}
