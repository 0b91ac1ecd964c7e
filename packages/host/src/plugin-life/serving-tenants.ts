import type { ChannelHost, DiscoveredPlugin, Runtime } from '../runtimes/runtime.ts';
import { channelNameOf } from './channel-settings.ts';
import { PluginSlot } from './plugin-slot.ts';
import type { PluginSlotParts } from './plugin-slot-parts.ts';
import { tenantOfPlugin } from './plugin-tenant.ts';

/** A host may have many tenants, each with a process of each plugin. */
const TENANT_IDLE_MS = 10 * 60_000;

export interface ServingParts {
  readonly runtime: Runtime;
  /** Those that the plugin is for; empty: it is for all. */
  readonly tenants: readonly string[];
  readonly channels: Pick<ChannelHost, 'configOf'>;
}

/**
 * How a plugin serves several tenants. A process of its own serves one: the first is that of its channel's chats, of the
 * tenant whose plugin it is, or of nobody's in particular, and each other tenant gets another when it first needs it. What
 * runs inside the host is one in any case, as are components, whose instances serve one tenant each, and what says
 * `sharedAcrossTenants`.
 */
export function servingTenants(
  { manifest }: DiscoveredPlugin,
  { runtime, tenants, channels }: ServingParts,
): Pick<PluginSlotParts, 'tenantFor' | 'forTenants'> {
  if (runtime.isInProcess || runtime.separatesTenants || manifest.sharedAcrossTenants) return {};
  return {
    tenantFor(offered) {
      const channel = offered ?? channelNameOf(manifest);
      return tenantOfPlugin(tenants, channel === undefined ? undefined : channels.configOf(channel));
    },
    forTenants: ownProcess,
  };
}

/**
 * What the registry knows comes from the first one; another's answers change nothing there. It is no channel, since two
 * processes of one would both read its messages.
 */
function ownProcess(parts: PluginSlotParts, tenant: string): PluginSlot {
  const { forTenants: _first, context, known, ...rest } = parts;
  const { channels: _channels, ...others } = context;
  return new PluginSlot({
    ...rest,
    context: others,
    known: { ...known, channel: undefined },
    tenantFor: () => tenant,
    idleMs: TENANT_IDLE_MS,
    onChange: () => undefined,
  });
}
