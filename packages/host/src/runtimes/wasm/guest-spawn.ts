import { StringDecoder } from 'node:string_decoder';
import { isJsonObject, type OutputStream } from '@toolpost/protocol';
import { pickEnvironment } from '../../processes/environment.ts';
import { exitedAndDrained, killAndDrain, type OutputEnd } from '../../processes/output-end.ts';
import { processRegistryOf } from '../../processes/process-registry.ts';
import { type StartedProcess, startProcess } from '../../processes/start-process.ts';
import type { RuntimeCallContext, RuntimeContext } from '../runtime.ts';
import { LinkRefusal } from './host-link.ts';
import type { InstanceService } from './instance-service.ts';
import type { SpawnResult } from './worlds/guest-world.ts';

/** Of each stream, for the guest; the clients see all of it live. */
const MAX_KEPT_CHARS = 1024 * 1024;
const CUT_NOTE = '\n[the output is longer than 1 MiB: the rest is left out]\n';

export interface GuestSpawnOptions {
  readonly pluginId: string;
  readonly context: RuntimeContext;
}

/** Runs the commands of one instance, when its plugin may. Whatever it started ends with the call or the instance. */
export function createGuestSpawn({ pluginId, context }: GuestSpawnOptions): InstanceService {
  const running = new Set<StartedProcess>();
  let isClosed = false;

  async function start(request: unknown, call: RuntimeCallContext): Promise<StartedProcess> {
    const { command, cwd } = readRequest(request);
    const { env: names = [] } = context.grants;
    const env = pickEnvironment({ host: context.hostEnvironment, names });
    const started = await startProcess({
      command: 'sh',
      // After `--` a command that begins with `-` is no option.
      args: ['-c', '--', command],
      cwd: await directoryOf(cwd, call),
      env,
      registry: processRegistryOf(context.homeDir),
    });
    running.add(started);
    // The call may have been given up while it started.
    if (isClosed) await started.kill();
    started.stdin.end();
    return started;
  }

  return {
    handlers: {
      async spawn(request, call) {
        if (!context.grants.spawn) throw denied(pluginId);
        if (!call) throw new LinkRefusal('spawn is refused: no call is running');
        const started = await start(request, call);
        const output = collect(started, call);
        try {
          const end = await exitedAndDrained(started, output);
          await killAndDrain(started);
          return output.result(end);
        } finally {
          await killAndDrain(started);
          running.delete(started);
        }
      },
    },
    async close() {
      isClosed = true;
      await Promise.all([...running].map((started) => started.kill()));
    },
  };
}

function denied(pluginId: string): LinkRefusal {
  return new LinkRefusal(
    `spawn is denied: this plugin may start no programs. The user allows it by "toolPolicy": {"${pluginId}": {"spawn": true}} in the configuration (toolPolicy.${pluginId}.spawn)`,
  );
}

function readRequest(request: unknown): { command: string; cwd: string | undefined } {
  const { command, cwd } = isJsonObject(request) ? request : {};
  if (typeof command !== 'string') throw new LinkRefusal('spawn is refused: the command is no text');
  if (command.includes('\0')) throw new LinkRefusal('spawn is refused: the command holds a NUL');
  return { command, cwd: typeof cwd === 'string' ? cwd : undefined };
}

async function directoryOf(cwd: string | undefined, { roots, sandbox }: RuntimeCallContext): Promise<string> {
  const [first] = roots;
  if (first === undefined) throw new LinkRefusal('spawn is refused: this session grants no directory to run in');
  return cwd === undefined ? first : sandbox.resolvePath(cwd);
}

/** Streams both outputs to the call's clients, and keeps the start of each for the guest. */
function collect({ stdout, stderr }: StartedProcess, call: RuntimeCallContext) {
  let notify = (): void => {};
  const keep = (source: StartedProcess['stdout'], stream: OutputStream) => {
    const decoder = new StringDecoder();
    let kept = '';
    let isCut = false;
    const take = (text: string): void => {
      if (text !== '') call.output(text, stream);
      if (isCut) return;
      kept += text;
      if (kept.length <= MAX_KEPT_CHARS) return;
      isCut = true;
      kept = `${kept.slice(0, MAX_KEPT_CHARS).toWellFormed()}${CUT_NOTE}`;
    };
    source.on('data', (chunk: Buffer) => {
      take(decoder.write(chunk));
      notify();
    });
    return () => {
      take(decoder.end());
      return kept;
    };
  };
  const [endStdout, endStderr] = [keep(stdout, 'stdout'), keep(stderr, 'stderr')];
  return {
    isPaused: false,
    onChunk(listener: () => void) {
      notify = listener;
    },
    result: ({ exit }: OutputEnd): SpawnResult => ({
      exitCode: exit.code ?? -1,
      stdout: endStdout(),
      stderr: endStderr(),
    }),
  };
}
