import { HostError, messageOf } from '@toolpost/protocol';
import type { Launch } from '../plugin-pipe.ts';
import type { LoadProcess } from '../process-extension.ts';
import type { ProgramOptions } from '../program-of.ts';
import type { DiscoveredPlugin, Runtime, RuntimeContext } from '../runtime.ts';
import { resolveLaunch } from './launch.ts';
import { StdioPlugin } from './stdio-plugin.ts';

/**
 * The runtime of plugins that are processes: JSON lines on stdin and stdout, in both versions of the protocol
 * (design section 4, section 5 of the reference).
 */
export function createStdioRuntime(options: ProgramOptions): Runtime {
  return {
    async load(plugin, context) {
      return StdioPlugin.start({ plugin, context, launch: launchOf(plugin, context, options) });
    },
  };
}

/** Starts processes for a runtime that has more to say to them. */
export function createProcessLoader(options: ProgramOptions): LoadProcess {
  return async (plugin, context, extension) =>
    StdioPlugin.start({ plugin, context, launch: launchOf(plugin, context, options), extension });
}

function launchOf(plugin: DiscoveredPlugin, context: RuntimeContext, options: ProgramOptions): Launch {
  try {
    return resolveLaunch(plugin, context, options);
  } catch (cause) {
    const reason = messageOf(cause);
    const message = `The plugin ${plugin.id} could not be started: ${reason}`;
    throw new HostError('MANIFEST_INVALID', message, { cause, pluginId: plugin.id });
  }
}
