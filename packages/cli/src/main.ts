import { exitNow } from './plugin-exit.ts';
import { runCommand } from './run-command.ts';

/** What is written to a terminal or a pipe by then is written. */
const LINGER_MS = 500;

const status = await runCommand(process.argv.slice(2));
process.exitCode = status;
// The command is over when it has ended; a timer or a socket that a native plugin has left does not keep it.
setTimeout(() => exitNow(status), LINGER_MS).unref();
