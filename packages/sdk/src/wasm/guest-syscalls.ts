import log from 'toolpost:plugin/log@0.1.0';
import process from 'toolpost:plugin/process@0.1.0';
import { spawnText } from '@toolpost/protocol';
import type { SpawnOptions } from '../syscalls.ts';
import type { ToolCallContext } from '../tool-call-context.ts';

/** What plugins may ask of the system, by way of the host: the same as outside of a component. */
export const syscalls = {
  /**
   * Runs a command line with `sh -c` and waits for it. The host streams its output to the clients, and ends it with the call.
   * @throws Error that names the setting when `toolPolicy` denies it, or why the command cannot be started.
   */
  async spawn(command: string, { cwd, abortSignal }: SpawnOptions = {}): Promise<string> {
    abortSignal?.throwIfAborted();
    const outcome = process.spawn(command, { workingDirectory: cwd ?? null });
    abortSignal?.throwIfAborted();
    return spawnText(outcome);
  },

  log(message: string, context?: Pick<ToolCallContext, 'log'>): void {
    if (context) context.log(message);
    else log.write('info', message);
  },
};
