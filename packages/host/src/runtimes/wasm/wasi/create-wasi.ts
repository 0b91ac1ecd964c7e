import { createCli, type GuestOutput } from './cli/create-cli.ts';
import { createClocks } from './clocks/create-clocks.ts';
import { createFilesystem } from './filesystem/create-filesystem.ts';
import type { RootGrant } from './filesystem/open-roots.ts';
import { IO_INTERFACES } from './io/io-interfaces.ts';
import { createIoScope } from './io/io-scope.ts';
import { createRandom } from './random/create-random.ts';

export { GuestExit } from './cli/guest-exit.ts';

export interface WasiOptions {
  /** In the session's order. Each is preopened at its own path and its other spellings, the first also as `.`. */
  readonly roots: readonly RootGrant[];
  /** Directories that stay out of reach also where a root contains them: Toolpost's home. */
  readonly hidden: readonly string[];
  /** Told once for each root that cannot be opened (missing, unreadable, replaced by a link). */
  reportProblem(problem: string): void;
  /** The variables that the user's policy passes on. */
  readonly environment: readonly (readonly [name: string, value: string])[];
  /** Takes what the guest prints. The bytes are the taker's to keep. */
  readonly write: GuestOutput;
  /** The host link's counter, by which a blocked guest is woken. */
  readonly wake: SharedArrayBuffer;
  /** The interfaces of wasi:http and wasi:sockets. */
  readonly network: Readonly<Record<string, unknown>>;
}

/** By interface without version, as in `wasi:io/streams`: functions and resource classes in the way jco calls them. */
export type WasiImports = Readonly<Record<string, unknown>>;

/**
 * WASI 0.2 for one guest in a worker thread: files of the roots, clocks, randomness, output. Everything is synchronous;
 * what has to wait blocks the thread.
 */
export function createWasi(options: WasiOptions): WasiImports {
  const io = createIoScope(options.wake);
  const filesystem = createFilesystem(io, options.roots, { hidden: options.hidden });
  for (const problem of filesystem.problems) options.reportProblem(problem);
  return {
    ...IO_INTERFACES,
    ...createClocks(io),
    ...createRandom(),
    ...createCli(io, options),
    ...filesystem.interfaces,
    ...options.network,
  };
}
