import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, join } from 'node:path';
import { formatDuration, type JsonObject, messageOf, type ToolResult } from '@toolpost/protocol';
import { pickEnvironment } from '../processes/environment.ts';
import { exitedAndDrained, killAndDrain, type OutputEnd } from '../processes/output-end.ts';
import { processRegistryOf } from '../processes/process-registry.ts';
import { type ProcessExit, type StartedProcess, startProcess } from '../processes/start-process.ts';
import { ToolTimedOut } from '../runtimes/runtime.ts';
import { type BuiltinCallContext, type BuiltinSettings, errorResult, textResult } from './builtin-tool.ts';
import { type CommandOutput, collectOutput, type FinishedOutput } from './command-output.ts';
import { DEFAULT_COMMAND_TIMEOUT_MS, MAX_COMMAND_TIMEOUT_MS } from './tool-definitions.ts';
import { ToolFailure } from './tool-failure.ts';
import { countInput, textInput } from './tool-input.ts';

/** Linux takes no longer argument (MAX_ARG_STRLEN, its end included). */
const MAX_COMMAND_BYTES = 131_071;

/** How a command came to its end. */
type Ending = ({ kind: 'exited' } & OutputEnd) | { kind: 'timed-out' } | { kind: 'aborted' };

/**
 * `bash`: runs a command line in the first root; when it returns, nothing that it started is left.
 * @throws ToolTimedOut with what it had printed, at its own timeout.
 */
export async function runCommand(
  input: JsonObject,
  context: BuiltinCallContext,
  settings: BuiltinSettings,
): Promise<ToolResult> {
  const command = commandInput(input);
  const asked = countInput(input, 'timeout', { minimum: 1, fallback: DEFAULT_COMMAND_TIMEOUT_MS });
  const timeoutMs = Math.min(asked, MAX_COMMAND_TIMEOUT_MS);
  context.abortSignal.throwIfAborted();
  const started = await startShell(command, context, settings);
  const output = collectOutput(started, context, settings);
  context.keepSoFar((cause) => {
    const { text, ...facts } = output.cutOff();
    return { text, metadata: { ...describeOutput(facts), ...(cause === 'timed-out' && { timedOut: true }) } };
  });
  try {
    const ending = await waitForEnd(started, output, { timeoutMs, abortSignal: context.abortSignal });
    await killAndDrain(started);
    if (ending.kind !== 'aborted') return describe(ending, await output.finish(), timeoutMs);
    await output.discard();
    throw context.abortSignal.reason;
  } finally {
    await killAndDrain(started);
  }
}

/** The command as it is. */
export async function previewCommand(input: JsonObject): Promise<string> {
  return commandInput(input);
}

function commandInput(input: JsonObject): string {
  const command = textInput(input, 'command');
  if (command.includes('\0')) throw new ToolFailure('command holds a NUL, which no command line can');
  if (Buffer.byteLength(command) <= MAX_COMMAND_BYTES) return command;
  throw new ToolFailure(`command is longer than ${MAX_COMMAND_BYTES} bytes; write it to a script file and run that`);
}

async function startShell(
  command: string,
  { roots }: BuiltinCallContext,
  settings: BuiltinSettings,
): Promise<StartedProcess> {
  const [cwd] = roots;
  if (cwd === undefined) throw new ToolFailure('bash is refused: this session grants no directory to run in');
  const env = pickEnvironment({ host: settings.hostEnvironment });
  try {
    const [shell, ...flags] = findShell(env.PATH);
    // After `--` a command that begins with `-` is no option.
    const started = await startProcess({
      command: shell,
      args: [...flags, '-c', '--', command],
      cwd,
      env,
      registry: processRegistryOf(settings.homeDir),
      bash: flags.length > 0 ? shell : undefined,
    });
    started.stdin.end();
    return started;
  } catch (error) {
    throw new ToolFailure(messageOf(error));
  }
}

/** With a socket as standard input, which Node's pipes are, bash takes itself for a remote shell and reads ~/.bashrc. */
function findShell(path = ''): [command: string, ...flags: string[]] {
  for (const directory of path.split(delimiter)) {
    const bash = join(directory, 'bash');
    if (directory !== '' && existsSync(bash)) return [bash, '--norc'];
  }
  return ['sh'];
}

interface Limits {
  timeoutMs: number;
  abortSignal: AbortSignal;
}

async function waitForEnd(started: StartedProcess, output: CommandOutput, limits: Limits): Promise<Ending> {
  const { timeoutMs, abortSignal } = limits;
  let timer: NodeJS.Timeout | undefined;
  let abort = (): void => {};
  const stopped = new Promise<Ending>((resolve) => {
    timer = setTimeout(() => resolve({ kind: 'timed-out' }), timeoutMs);
    abort = () => resolve({ kind: 'aborted' });
    abortSignal.addEventListener('abort', abort, { once: true });
    if (abortSignal.aborted) abort();
  });
  try {
    const ended = exitedAndDrained(started, output).then((end): Ending => ({ kind: 'exited', ...end }));
    return await Promise.race([ended, stopped]);
  } finally {
    clearTimeout(timer);
    abortSignal.removeEventListener('abort', abort);
  }
}

/** @throws ToolTimedOut */
function describe(ending: Exclude<Ending, { kind: 'aborted' }>, output: FinishedOutput, timeoutMs: number): ToolResult {
  const metadata = describeOutput(output);
  if (ending.kind === 'timed-out') {
    const note = `The command was stopped after ${formatDuration(timeoutMs)} with all it had started; ${timeoutAdvice(timeoutMs)}`;
    throw new ToolTimedOut(errorResult(joinParts(output.text, note), { ...metadata, timedOut: true }));
  }
  const exitCode = exitCodeOf(ending.exit);
  metadata.exitCode = exitCode;
  const notes: string[] = [];
  if (!ending.isComplete) {
    metadata.outputIncomplete = true;
    notes.push('(a background process kept the output open; it was ended, and the output may be incomplete)');
  }
  if (exitCode === 0) return textResult(joinParts(output.text, ...notes) || '(no output)', metadata);
  if (ending.exit.signal !== null) metadata.signal = ending.exit.signal;
  notes.push(`Exit code: ${exitCode}${ending.exit.signal === null ? '' : ` (${ending.exit.signal})`}`);
  return errorResult(joinParts(output.text, ...notes), metadata);
}

/** `fullOutput` and `fullOutputBytes` are what the call path's cap names when it cuts the text. */
function describeOutput({ kept, bytes, isTruncated }: Omit<FinishedOutput, 'text'>): JsonObject {
  const file = kept && { fullOutput: kept.path, fullOutputBytes: kept.isCut ? bytes : kept.bytes };
  return {
    outputBytes: bytes,
    ...(isTruncated && { outputTruncated: true }),
    ...file,
    ...(kept?.isCut && { fullOutputCutAt: kept.bytes }),
  };
}

/** As shells count it: 128 and the signal's number. */
function exitCodeOf({ code, signal }: ProcessExit): number {
  return code ?? 128 + (signal === null ? 0 : constants.signals[signal]);
}

function timeoutAdvice(timeoutMs: number): string {
  if (timeoutMs < MAX_COMMAND_TIMEOUT_MS) return 'give a longer timeout (ms) if it needs one';
  return 'no longer timeout is possible: do it in smaller steps';
}

function joinParts(...parts: string[]): string {
  return parts.filter((part) => part !== '').join('\n\n');
}
