import { exitedAndDrained, killAndDrain } from '../processes/output-end.ts';
import { processRegistryOf } from '../processes/process-registry.ts';
import { type StartedProcess, startProcess } from '../processes/start-process.ts';

const TIMEOUT_MS = 10_000;
const MAX_LAST_WORDS = 300;

export interface RunForTextOptions {
  readonly homeDir: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly maxBytes: number;
}

/**
 * Runs a program of the user's configuration without a shell, and gives what it printed. It and what it started are gone
 * afterwards.
 * @throws Error that says how it failed, with its last line on stderr and nothing of its output.
 */
export async function runForText(
  argv: readonly string[],
  { homeDir, environment, maxBytes }: RunForTextOptions,
): Promise<string> {
  const [command = '', ...args] = argv;
  const env = Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  const started = await startProcess({ command, args, cwd: homeDir, env, registry: processRegistryOf(homeDir) });
  const timer = Promise.withResolvers<never>();
  const timeout = setTimeout(
    () => timer.reject(new Error(`the command ${command} did not end within ${TIMEOUT_MS} ms`)),
    TIMEOUT_MS,
  );
  try {
    started.stdin.end();
    return await Promise.race([textOf(started, command, maxBytes), timer.promise]);
  } finally {
    clearTimeout(timeout);
    await killAndDrain(started);
  }
}

async function textOf(started: StartedProcess, command: string, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  let lastWords = '';
  const tooMuch = Promise.withResolvers<never>();
  started.stdout.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= maxBytes) chunks.push(chunk);
    else tooMuch.reject(new Error(`the command ${command} printed more than ${maxBytes} bytes`));
  });
  const output = {
    isPaused: false,
    onChunk: (listener: () => void) => void started.stdout.on('data', listener),
  };
  started.stderr.on('data', (chunk: Buffer) => {
    lastWords = (lastWords + chunk.toString('utf8')).slice(-MAX_LAST_WORDS);
  });
  const { exit } = await Promise.race([exitedAndDrained(started, output), tooMuch.promise]);
  if (exit.code === 0) return Buffer.concat(chunks).toString('utf8');
  const how = exit.code === null ? `was ended by ${exit.signal}` : `ended with ${exit.code}`;
  const said = lastWords.trim().split('\n').at(-1) ?? '';
  throw new Error(`the command ${command} ${how}${said === '' ? '' : `: ${said}`}`);
}
