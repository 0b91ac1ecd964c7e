import { spawn, spawnSync } from 'node:child_process';
import { stripVTControlCharacters } from 'node:util';

/** Runs a program in a terminal of its own, so wide that no line wraps. */
const PTY = `
import fcntl, os, pty, struct, sys, termios
def read(descriptor):
    return os.read(descriptor, 65536)
pid, master = pty.fork()
if pid == 0:
    os.execvp(sys.argv[1], sys.argv[1:])
fcntl.ioctl(master, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 200, 0, 0))
pty._copy(master, read, read)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
`;

export const hasTerminal = process.platform !== 'win32' && spawnSync('python3', ['-c', 'import pty']).status === 0;

const END_OF_INPUT = '\u0004';

/**
 * Plays a program at a terminal: types each text once what it waits for has appeared since the one before, then waits
 * for `last` and ends the input. Returns what stood on the screen, as plain lines.
 */
export async function playTerminal(
  command: readonly string[],
  options: { cwd: string; env: NodeJS.ProcessEnv },
  { typed, last }: { typed: readonly (readonly [waitFor: string, text: string])[]; last: string },
): Promise<string> {
  const child = spawn('python3', ['-c', PTY, ...command], options);
  const steps = [...typed.map(([waitFor, text]) => [waitFor, `${text}\r`] as const), [last, END_OF_INPUT] as const];
  let screen = '';
  let seen = 0;
  child.stdout.setEncoding('utf8').on('data', (piece: string) => {
    screen += piece;
    for (let step = steps[0]; step; step = steps[0]) {
      const at = screen.indexOf(step[0], seen);
      if (at === -1) return;
      seen = at + step[0].length;
      steps.shift();
      child.stdin.write(step[1]);
    }
  });
  child.stderr.resume();
  await new Promise((resolve) => child.once('close', resolve));
  if (steps.length > 0) throw new Error(`it ended before ${JSON.stringify(steps[0]?.[0])} was shown:\n${screen}`);
  return plainLines(screen);
}

/** Without colours and movements of the cursor; of what was written over, the last counts. */
function plainLines(screen: string): string {
  const lines = stripVTControlCharacters(screen).split(/\r*\n/);
  return lines.map((line) => line.slice(line.lastIndexOf('\r') + 1).trimEnd()).join('\n');
}
