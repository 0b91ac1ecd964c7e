import { type ErrorCode, HostError, messageOf } from '@toolpost/protocol';
import { PluginCrash } from '../runtime.ts';

/** It ended before it had answered anything: some servers do that when their first message is not `initialize`. */
export class EndedAtDiscover extends Error {
  override readonly name = 'EndedAtDiscover';
  readonly crash: PluginCrash;

  constructor(crash: PluginCrash) {
    super(crash.message, { cause: crash });
    this.crash = crash;
  }
}

/** Why a server could not be started, with the plugin named. */
export function toStartError(error: unknown, pluginId: string): HostError {
  if (error instanceof HostError) return error;
  const cause = error instanceof EndedAtDiscover ? error.crash : error;
  const code: ErrorCode = cause instanceof PluginCrash ? 'PLUGIN_EXITED' : 'PLUGIN_LOAD_FAILED';
  const message = `The plugin ${pluginId} could not be started: ${messageOf(cause)}`;
  return new HostError(code, message, { cause, pluginId });
}

/** The same error, with what the server wrote before it was given up. */
export function withLastWords(error: unknown, lines: readonly string[]): Error {
  const words = lines.map((line) => `  ${line}`).join('\n');
  return new Error(`${messageOf(error)}. Its last lines on stderr:\n${words}`, { cause: error });
}
