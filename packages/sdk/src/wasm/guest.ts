import { type Tool, toToolDefinition } from '../define/define-tool.ts';
import { parseToolInput } from '../define/parse-tool-input.ts';
import { type ActivePlugin, activatePlugin } from '../plugin/activate-plugin.ts';
import type { Plugin } from '../plugin/define-plugin.ts';
import { readExports } from '../plugin/read-exports.ts';
import { errorMessage, toToolResult } from '../results/to-tool-result.ts';
import { endLeftovers, waitFor } from './event-loop.ts';
import { GuestCall, readSettings } from './guest-call.ts';
import { guestConsole, guestLog, openConsole } from './guest-console.ts';
import { installRandom } from './guest-random.ts';
import { toWireDefinition, toWireResult, type WireContext, type WireDefinition, type WireResult } from './wire.ts';

/** What a component exports: the interface `tools` of the world. */
export interface Guest {
  definitions(settings: string): WireDefinition[];
  execute(tool: string, input: string, context: WireContext): WireResult;
}

export interface GuestOptions {
  readonly pluginId: string;
  /** The file that the exports are of, for messages. */
  readonly file: string;
}

/**
 * Makes the exports of a component of what a plugin's module exports. It runs while the component is built, so that what
 * is wrong with them is told then.
 * @throws HostError as readExports does, Error for a plugin with hooks, enrichers or subscriptions, which the world has no place for.
 */
export function createGuest(exports: Readonly<Record<string, unknown>>, { pluginId, file }: GuestOptions): Guest {
  const plugin = readExports(exports, file, pluginId);
  checkParts(plugin, file);
  let active: ActivePlugin | undefined;

  const start = (settings: string): ActivePlugin => {
    if (active) return active;
    openConsole();
    installRandom();
    const activating = activatePlugin(plugin, {
      pluginId,
      settings: readSettings(settings),
      log: (message, level = 'info') => guestConsole[level](message),
    });
    active = waitFor(activating, () => {}) as ActivePlugin;
    checkParts(active, file);
    return active;
  };

  return {
    definitions: (settings) => asResult(() => start(settings).tools.map(toToolDefinition).map(toWireDefinition)),
    execute: (name, input, context) =>
      asResult(() => {
        const tool = start(context.settings).tools.find((one) => one.name === name);
        if (!tool) throw new Error(`the plugin has no tool ${JSON.stringify(name)}`);
        return toWireResult(toToolResult(run(tool, new GuestCall(input, context))));
      }),
  };
}

function run(tool: Tool, call: GuestCall): unknown {
  try {
    const value = tool.execute(call.input === '' ? {} : parseToolInput(call.input), call);
    return isThenable(value) ? waitFor(value, () => call.cancel()) : value;
  } finally {
    endLeftovers();
    guestLog.flush();
  }
}

function checkParts(offered: Pick<Plugin, 'hooks' | 'enrichers' | 'subscriptions'>, file: string): void {
  const parts = (['hooks', 'enrichers', 'subscriptions'] as const).filter((part) => offered[part].length > 0);
  if (parts.length === 0) return;
  throw new Error(`${file} has ${parts.join(' and ')}, and a component has tools alone: keep them in a native plugin`);
}

/** The message of what is thrown is the error of the world's `result`. */
function asResult<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new Error(errorMessage(error).toWellFormed(), { cause: error });
  }
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}
