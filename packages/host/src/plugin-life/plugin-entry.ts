import { HOOK_EVENTS, type Manifest, type Permission, type ToolDefinition } from '@toolpost/protocol';
import type { Audience } from '../registry/audience.ts';
import type { PluginEntry } from '../registry/registered-tool.ts';
import { schemaLimitProblem } from '../registry/schema-limits.ts';
import { createWireNames } from '../registry/wire-names.ts';
import type { DiscoveredPlugin, HookOffer } from '../runtimes/runtime.ts';
import type { PluginSlot } from './plugin-slot.ts';

/** What a plugin contributes by its manifest's permissions, with a warning for each thing that is left out. */
export interface Contribution {
  readonly entry: PluginEntry;
  readonly hooks: readonly HookOffer[];
  readonly warnings: readonly string[];
}

/** Turns what a plugin offers into what the registry and the hooks may take from it. */
export function toContribution(slot: PluginSlot, order: number, { tenants = [], users }: Audience): Contribution {
  const { plugin, offer, runner } = slot;
  const { id, manifest, origin } = plugin;
  const warnings = [
    ...slot.problems.map((problem) => `plugin ${id}: left out: ${problem}`),
    ...slot.warnings.map((warning) => `plugin ${id}: ${warning}`),
  ];
  if (offer.enrichers.length > 0 && !isPermitted(manifest, 'context.enrich')) {
    const names = offer.enrichers.map(({ name }) => name).join(', ');
    warnings.push(lacks(plugin, 'context.enrich', `its enrichers (${names}) are`));
  }
  if (slot.lacked.has('channels.register')) warnings.push(lacks(plugin, 'channels.register', 'its channel is'));
  const { subscriptions = [] } = offer;
  for (const permission of ['bus.plugin', 'bus.read'] as const) {
    if (subscriptions.length > 0 && !isPermitted(manifest, permission))
      warnings.push(lacks(plugin, permission, `its subscriptions (${subscriptions.join(', ')}) are`));
  }
  if (offer.handlesUiActions && !isPermitted(manifest, 'ui.contribute'))
    warnings.push(lacks(plugin, 'ui.contribute', 'its handler of what is done in its interfaces is'));
  const entry: PluginEntry = {
    id,
    runtime: slot.runtimeName,
    scope: tenants.length > 0 ? 'tenant' : 'global',
    order,
    origin,
    mayShadow: origin !== 'project' && manifest.runtime !== 'mcp',
    ...(tenants.length > 0 && { tenants }),
    ...(users && { users }),
    tools: permittedTools(slot, warnings),
    ...(offer.channel && offer.channel.reserved.length > 0 && { reserved: offer.channel.reserved }),
    ...(slot.withheld.length > 0 && { withheld: slot.withheld }),
    runner,
    timeoutMs: manifest.timeoutMs,
    ...(manifest.maxTimeoutMs !== undefined && { maxTimeoutMs: manifest.maxTimeoutMs }),
    ...(slot.error !== undefined && { broken: slot.error }),
    disabled: slot.isDisabled,
  };
  return {
    entry,
    hooks: permittedHooks({ plugin, hooks: offer.hooks, isDisabled: slot.isDisabled }, warnings),
    warnings,
  };
}

function permittedTools({ plugin, offer, knowledge }: PluginSlot, warnings: string[]): ToolDefinition[] {
  const { id, manifest } = plugin;
  const tools = [...offer.tools, ...(offer.channel?.tools ?? [])];
  if (!isPermitted(manifest, 'tools.register')) {
    if (tools.length > 0) warnings.push(lacks(plugin, 'tools.register', `its tools (${namesOf(tools)}) are`));
    return [];
  }
  if (knowledge === 'own') warnings.push(...tools.flatMap(({ name }) => oddNameWarning(id, name)));
  return tools.filter(({ name, inputSchema }) => {
    const problem = knowledge === 'declared' ? undefined : schemaLimitProblem(inputSchema);
    if (problem) warnings.push(`plugin ${id}: its tool ${name} is left out, because of its input schema: ${problem}`);
    return problem === undefined;
  });
}

/** Dots and slashes are common, and understood; a blank or a sign is rather a slip, and a model sees another name. */
function oddNameWarning(id: string, name: string): string[] {
  if (/^[\w./-]+$/.test(name)) return [];
  const alias = createWireNames([name]).toWire(name);
  return [`plugin ${id}: no model's API takes the name of its tool ${JSON.stringify(name)}: models see it as ${alias}`];
}

interface HookOwner {
  readonly plugin: DiscoveredPlugin;
  readonly hooks: readonly HookOffer[];
  readonly isDisabled: boolean;
}

/** A manifest may make all hooks of its plugin, or single ones, fail closed. */
function permittedHooks({ plugin, hooks, isDisabled }: HookOwner, warnings: string[]): HookOffer[] {
  if (isDisabled || hooks.length === 0) return [];
  const { manifest } = plugin;
  if (!isPermitted(manifest, 'hooks.subscribe')) {
    warnings.push(
      lacks(
        plugin,
        'hooks.subscribe',
        `its hooks (${hooks.map(({ event }) => event).join(', ')}) guard nothing and are`,
      ),
    );
    return [];
  }
  const silent = new Set(hooks.map(({ event }) => event).filter((event) => !HOOK_EVENTS.some((one) => one === event)));
  for (const event of silent)
    warnings.push(`plugin ${plugin.id}: its ${event} hook is never called: there is no such event here`);
  const declared = manifest.contributes.hooks;
  return hooks.map((hook) => {
    const isClosed = declared.some((one) => one.failClosed && one.event === hook.event && one.matcher === hook.matcher);
    return { ...hook, failClosed: hook.failClosed === true || manifest.failClosed || isClosed };
  });
}

export function isPermitted({ permissions }: Manifest, permission: Permission): boolean {
  return permissions.includes(permission) || permissions.includes('*');
}

function lacks({ id, file }: DiscoveredPlugin, permission: Permission, what: string): string {
  const why =
    file === undefined
      ? `because its plugin.json lacks the permission "${permission}"`
      : `because a single file registers tools alone: this needs a plugin folder whose plugin.json has the permission "${permission}"`;
  return `plugin ${id}: ${what} left out, ${why}`;
}

function namesOf(tools: readonly ToolDefinition[]): string {
  return tools.map(({ name }) => name).join(', ');
}
