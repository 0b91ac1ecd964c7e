import { InputStream } from '../io/input-stream.ts';
import type { IoScope } from '../io/io-scope.ts';
import { OutputStream } from '../io/output-stream.ts';
import { GuestExit } from './guest-exit.ts';
import { TerminalInput, TerminalOutput } from './terminals.ts';

/** What one write may bring. */
const MAX_WRITE_BYTES = 64 * 1024;

export type GuestOutput = (stream: 'stdout' | 'stderr', bytes: Uint8Array) => void;

export interface CliOptions {
  readonly environment: readonly (readonly [name: string, value: string])[];
  readonly write: GuestOutput;
}

/** wasi:cli: an environment by grant only, one fixed argument, no input, no terminal. */
export function createCli(io: IoScope, { environment, write }: CliOptions) {
  return {
    'wasi:cli/environment': {
      getEnvironment: () => environment.map(([name, value]) => [name, value]),
      getArguments: () => ['plugin'],
      initialCwd: () => undefined,
    },
    'wasi:cli/exit': {
      exit(status: { tag: 'ok' } | { tag: 'err' }): never {
        throw new GuestExit(status.tag === 'ok' ? 0 : 1);
      },
      exitWithCode(status: number): never {
        throw new GuestExit(status);
      },
    },
    'wasi:cli/stdin': { getStdin: () => new InputStream(io, { isReady: () => true, read: () => undefined }) },
    'wasi:cli/stdout': { getStdout: () => createPrinter(io, (bytes) => write('stdout', bytes)) },
    'wasi:cli/stderr': { getStderr: () => createPrinter(io, (bytes) => write('stderr', bytes)) },
    'wasi:cli/terminal-input': { TerminalInput },
    'wasi:cli/terminal-output': { TerminalOutput },
    'wasi:cli/terminal-stdin': { getTerminalStdin: () => undefined },
    'wasi:cli/terminal-stdout': { getTerminalStdout: () => undefined },
    'wasi:cli/terminal-stderr': { getTerminalStderr: () => undefined },
  };
}

/** Always takes more: what a flood may cost is decided by whoever logs it. */
function createPrinter(io: IoScope, write: (bytes: Uint8Array) => void): OutputStream {
  return new OutputStream(io, { isReady: () => true, permit: () => MAX_WRITE_BYTES, write });
}
