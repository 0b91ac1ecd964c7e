import { InputStream } from './input-stream.ts';
import { IoError } from './io-error.ts';
import { OutputStream } from './output-stream.ts';
import { Pollable, poll } from './pollable.ts';

/** The interfaces of wasi:io. jco checks that each resource a guest gets is of these very classes. */
export const IO_INTERFACES = {
  'wasi:io/error': { Error: IoError },
  'wasi:io/poll': { Pollable, poll },
  'wasi:io/streams': { InputStream, OutputStream },
} as const;
