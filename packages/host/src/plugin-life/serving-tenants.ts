import { mayBeChannel } from '../runtimes/may-be-channel.ts';
import { type DiscoveredPlugin, PluginCrash, type Runtime } from '../runtimes/runtime.ts';
import { PluginSlot, type PluginSlotParts } from './plugin-slot.ts';

/** A host may have many tenants, each with a process of each plugin. */
const TENANT_IDLE_MS = 10 * 60_000;

/**
 * How a plugin serves several tenants. A process of its own serves one: the first is that of the tenant whose plugin it
 * is, or of nobody's in particular, and each other tenant gets another when it first needs it. What runs inside the host
 * is one in any case, as are components, whose instances serve one tenant each, and what says `sharedAcrossTenants`.
 */
export function servingTenants(
  { manifest }: DiscoveredPlugin,
  runtime: Runtime,
  tenants: readonly string[],
): Pick<PluginSlotParts, 'tenant' | 'forTenants'> {
  if (runtime.isInProcess || runtime.separatesTenants || manifest.sharedAcrossTenants) return {};
  const [only = ''] = tenants.length === 1 ? tenants : [];
  return { tenant: only, forTenants: mayBeChannel(manifest) ? refuseTenant : ownProcess };
}

/** What the registry knows comes from the first one; another's answers change nothing there. */
function ownProcess(parts: PluginSlotParts, tenant: string): PluginSlot {
  const { forTenants: _first, ...rest } = parts;
  return new PluginSlot({ ...rest, tenant, idleMs: TENANT_IDLE_MS, onChange: () => undefined });
}

/** Two processes of a channel would both read its messages. */
function refuseTenant(parts: PluginSlotParts, tenant: string): PluginSlot {
  const { id } = parts.plugin;
  const reason = `the channel plugin ${id} serves one tenant: with "sharedAcrossTenants": true its plugin.json lets it serve all`;
  const runtime: Runtime = { load: () => Promise.reject(new PluginCrash(reason)) };
  return ownProcess({ ...parts, runtime }, tenant);
}
