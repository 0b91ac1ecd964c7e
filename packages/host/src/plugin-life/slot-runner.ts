import type { ToolRunner } from '../registry/registered-tool.ts';
import { type LoadedPlugin, PluginCrash } from '../runtimes/runtime.ts';
import type { PluginSlot } from './plugin-slot.ts';
import type { PluginSlotParts } from './plugin-slot-parts.ts';

interface SlotRunnerParts extends Pick<PluginSlotParts, 'services' | 'runtime' | 'forTenants'> {
  /** What runs of the plugin now. */
  readonly loaded: () => LoadedPlugin | undefined;
  /** Gets what each call gives. */
  readonly onCall: (result: unknown) => void;
}

/** A plugin as the call path sees it: started by `ready`, and asked to run calls. */
export function createSlotRunner(
  slot: PluginSlot,
  { services, runtime, forTenants, loaded, onCall }: SlotRunnerParts,
): ToolRunner {
  return {
    services,
    isInProcess: runtime.isInProcess,
    get tenant() {
      return slot.tenant;
    },
    ...(forTenants && { forTenant: (tenant: string) => slot.forTenant(tenant).runner }),
    ...(runtime.hasPreviews && {
      // What a plugin in a process of its own has not said that it has, it is not started for.
      preview: async (tool, ...given) =>
        runtime.isInProcess || tool.hasPreview ? (await slot.load()).preview?.(tool, ...given) : undefined,
    }),
    get maxConcurrentCalls() {
      return loaded()?.maxConcurrentCalls;
    },
    get isReady() {
      return loaded()?.isReady ?? false;
    },
    async ready() {
      await slot.running();
    },
    acquire: (context) => loaded()?.acquire?.(context),
    execute(tool, input, context) {
      const running = loaded();
      if (!running) throw new PluginCrash(`the plugin ${slot.plugin.id} does not run`);
      const result = running.execute(tool, input, context);
      onCall(result);
      return result;
    },
  };
}
