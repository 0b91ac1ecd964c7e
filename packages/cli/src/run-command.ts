import { HostError } from '@toolpost/protocol';
import { CommanderError } from 'commander';
import { ignoreClosedOutput } from './closed-output.ts';
import { exitOnSignals } from './on-signals.ts';
import { createProgram } from './program.ts';
import { survivePluginErrors } from './survive-plugin-errors.ts';
import { plainText } from './terminal-text.ts';
import { UsageError } from './usage-error.ts';

/**
 * Runs the command line and returns the exit status: 0 completed, 1 any other outcome, 2 wrong usage or configuration
 * (design section 6). Never rejects.
 */
export async function runCommand(argv: readonly string[]): Promise<number> {
  ignoreClosedOutput();
  exitOnSignals();
  survivePluginErrors();
  let status = 0;
  const program = createProgram(argv, (code) => {
    status = code;
  });
  try {
    await program.parseAsync(argv, { from: 'user' });
    return status;
  } catch (error) {
    return report(error);
  }
}

function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof UsageError || error instanceof HostError) {
    process.stderr.write(`toolpost: ${plainText(error.message)}\n`);
    return 2;
  }
  const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`toolpost: this is a bug in Toolpost, please report it:\n${plainText(detail)}\n`);
  return 1;
}
