import { HostError } from '@toolpost/protocol';
import { isInside } from '../builtin/confine-path.ts';
import { checkOutput } from '../call-path/check-output.ts';
import type { HostCore } from '../host-core.ts';
import type { FoundPlugin } from '../plugins/discover-plugins.ts';
import type { Audience } from '../registry/audience.ts';
import type { PluginEntry } from '../registry/registered-tool.ts';
import { type ChooseRuntime, createRuntimes } from '../runtimes/choose-runtime.ts';
import { defaultPluginModules } from '../runtimes/native/plugin-modules.ts';
import type { DiscoveredPlugin, HookOffer, Runtime } from '../runtimes/runtime.ts';
import { createToolPins } from '../trust/tool-pins.ts';
import { withheldTools } from '../trust/withheld-tools.ts';
import { HOST_VERSION } from '../version.ts';
import { channelNameOf, readChannelSettings } from './channel-settings.ts';
import { knownOffer } from './known-offer.ts';
import { toContribution } from './plugin-entry.ts';
import { createPluginServices } from './plugin-services.ts';
import { createPluginSettings, type PluginSettings } from './plugin-settings.ts';
import { PluginSlot } from './plugin-slot.ts';
import { servingTenants } from './serving-tenants.ts';
import { warnOfBroken } from './warn-of-broken.ts';

/** What stands in the place of a plugin that was found before. */
export interface FormerSlots {
  /** Those that go on, by their ids. */
  readonly kept: ReadonlyMap<string, PluginSlot>;
  /** Resolves when the others have ended. */
  readonly ended: Promise<unknown>;
  /** As in RuntimeContext. */
  readonly reading: number;
}

/**
 * One slot for each plugin that `core.discovery` holds, its names registered as far as they are known. Starts nothing.
 * Called again after another discovery, it makes those that are new.
 */
export function createSlotMaker(core: HostCore): (former?: FormerSlots) => PluginSlot[] {
  const createSlot = createSlotFactory(core);
  const orders = new Map<string, number>();
  return (former) =>
    core.discovery.plugins.map((plugin, order) => {
      const kept = former?.kept.get(plugin.id);
      const hasMoved = orders.get(plugin.id) !== order;
      orders.set(plugin.id, order);
      const slot =
        kept ??
        createSlot({ plugin, former, onChange: (changed) => publish(core, changed, orders.get(plugin.id) ?? order) });
      if (!kept || hasMoved) publish(core, slot, order);
      return slot;
    });
}

interface NewSlot {
  readonly plugin: FoundPlugin;
  readonly former: FormerSlots | undefined;
  readonly onChange: (slot: PluginSlot) => void;
}

function createSlotFactory(core: HostCore): (parts: NewSlot) => PluginSlot {
  const chooseRuntime = createRuntimes({ hostVersion: HOST_VERSION });
  const pluginModules = lazy(defaultPluginModules);
  return ({ plugin, former, onChange }) => {
    const settings = settingsOf(plugin, core);
    const services = createPluginServices(plugin, { ...core, values: settings.values });
    const runtime = runtimeOf(plugin, chooseRuntime, core);
    const { tenants = [] } = audienceOf(plugin, core);
    return new PluginSlot({
      ...servingTenants(plugin, { runtime, tenants, channels: core.channels }),
      plugin,
      runtime,
      context: {
        homeDir: core.homeDir,
        get pluginModules() {
          return pluginModules();
        },
        pythonDir: core.pythonDir,
        hostEnvironment: core.pluginEnvironment,
        settings: settings.values,
        async resolveSettings() {
          await settings.resolve();
          await resolveChannel(plugin, core);
        },
        grants: services.grants,
        channels: core.channels,
        maskBytes: core.maskBytes,
        onSecrets: core.redact.add,
        publish: (topic, data, tenant) =>
          core.bus.publish({ pluginId: plugin.id, tenant, depth: 0, permits: services.permits }, topic, data),
        checkOutput,
        ...(former && { reading: former.reading }),
        log: services.log,
      },
      services,
      withheld: withheldTools(createToolPins(core.homeDir, plugin.id)),
      known: knownOffer(plugin, core.cache, core.channels),
      isDisabled: plugin.disabled,
      redact: core.redact,
      ...(former && { formerEnded: former.ended }),
      // One that was closed no longer speaks for its plugin: another may stand in its place.
      onChange: (changed) => changed.isClosed || onChange(changed),
      onNews: (changed, news) => core.pluginNews.tell(changed, news),
    });
  };
}

function settingsOf({ id, manifest }: DiscoveredPlugin, core: HostCore): PluginSettings {
  const { homeDir, pluginEnvironment: environment, redact, warn } = core;
  const given = core.settings.plugins.settings[id] ?? {};
  const settings = createPluginSettings({ manifest, given, homeDir, environment, onSecrets: redact.add });
  for (const warning of settings.warnings) warn(`configuration: ${warning}`);
  return settings;
}

/** Of a channel that is enabled, and that the manifest names. */
async function resolveChannel({ manifest }: DiscoveredPlugin, core: HostCore): Promise<void> {
  const channel = channelNameOf(manifest);
  const given = channel === undefined ? undefined : core.channels.givenFor(channel);
  if (channel === undefined || !given) return;
  const { homeDir, pluginEnvironment: environment, redact } = core;
  const { configSchema } = manifest.contributes.channelProvider ?? {};
  const place = { homeDir, environment, onSecrets: redact.add };
  core.channels.setConfig(channel, await readChannelSettings({ ...place, channel, given, configSchema }));
}

/** Registers what the slot offers now, in place of what it offered before. */
function publish(core: HostCore, slot: PluginSlot, order: number): void {
  const { plugin, knowledge } = slot;
  const { entry, hooks, warnings } = toContribution(slot, order, audienceOf(plugin, core));
  const refused = core.registry.setPlugin(entry);
  for (const message of [...warnings, ...setHooks(slot, entry, { hooks, core })]) core.warn(message);
  for (const { name, reason } of refused)
    core.warn(`plugin ${plugin.id}: its tool ${JSON.stringify(name)} is left out: ${reason}`);
  if (slot.error !== undefined) warnOfBroken(core, plugin.id, slot.error);
  if (knowledge === 'own' && slot.error === undefined) keep(core, slot);
}

/** What an open channel declares after its start is of this life only, and may change often. */
function keep({ cache, channels }: HostCore, { plugin, offer, isFresh }: PluginSlot): void {
  const { channel } = offer;
  if (!channel) cache.set(plugin, offer);
  else if (isFresh) {
    const { name, tools } = channel;
    cache.set(plugin, { ...offer, channel: { name, tools, configKey: channels.configKeyOf(name) } });
  }
}

/** A hook that cannot be understood is no reason for the other plugins not to work. */
function setHooks(
  slot: PluginSlot,
  entry: PluginEntry,
  parts: { hooks: readonly HookOffer[]; core: HostCore },
): string[] {
  const hooks = parts.hooks.map((hook) => toPluginHook(slot, hook));
  try {
    parts.core.callPath.hooks.setPluginHooks(entry, hooks);
    return [];
  } catch (error) {
    if (error instanceof HostError) return [`${error.message}; its hooks are left out`];
    throw error;
  }
}

/** A hook may be the first thing that its plugin is needed for. */
function toPluginHook(slot: PluginSlot, hook: HookOffer) {
  return {
    ...hook,
    async run(...[event, abortSignal]: Parameters<Awaited<ReturnType<PluginSlot['load']>>['runHook']>) {
      const loaded = await slot.forTenant(event.session.tenant).running();
      return loaded.runHook(event, abortSignal);
    },
  };
}

/** A plugin that tenants or their users name in their settings is theirs alone. */
function audienceOf({ id }: DiscoveredPlugin, { settings }: HostCore): Audience {
  const tenants: string[] = [];
  const ofUsers: [string, string[]][] = [];
  for (const [tenant, { plugins = [], users = {} }] of Object.entries(settings.tenants)) {
    const names = Object.entries(users).flatMap(([user, own]) => (own.plugins?.includes(id) ? [user] : []));
    if (!plugins.includes(id) && names.length === 0) continue;
    tenants.push(tenant);
    if (!plugins.includes(id)) ofUsers.push([tenant, names]);
  }
  return { tenants, ...(ofUsers.length > 0 && { users: Object.fromEntries(ofUsers) }) };
}

function runtimeOf(plugin: FoundPlugin, chooseRuntime: ChooseRuntime, core: HostCore): Runtime {
  const runtime = chooseRuntime(plugin);
  return plugin.origin === 'project' ? checkedBeforeStart(runtime, core) : runtime;
}

/** What a person accepted is what is started: a project's files are compared once more, right before each start. */
function checkedBeforeStart(runtime: Runtime, core: HostCore): Runtime {
  return {
    ...runtime,
    async load(plugin, context) {
      const check = () => assertTrusted(plugin, core);
      check();
      return runtime.load(plugin, { ...context, checkBeforeRestart: check });
    },
  };
}

/** A root may lie in another one, and a link may lead from one to the other: all around the plugin have to be unchanged. */
function assertTrusted({ id, dir }: DiscoveredPlugin, { trust, projects }: HostCore): void {
  const around = projects.filter(({ root }) => isInside(root, dir));
  const changed = around.find(({ root }) => trust.check(root).status !== 'trusted');
  if (around.length > 0 && !changed) return;
  const message = `${id}: its files changed since they were trusted; after reading them: toolpost trust ${changed?.root ?? dir}`;
  throw new HostError('PLUGIN_LOAD_FAILED', message, { pluginId: id });
}

function lazy<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
