import { basename, join } from 'node:path';
import { HOOK_EVENTS, inertParts, type Manifest, type Permission, type Session } from '@toolpost/protocol';
import type { HostCore } from '../host-core.ts';
import { isPermitted } from '../plugin-life/plugin-entry.ts';
import type { PluginSlot } from '../plugin-life/plugin-slot.ts';
import { isForPerson } from '../registry/audience.ts';
import { describeTrust } from '../trust/describe-trust.ts';
import { diagnoseTools } from './diagnose-tools.ts';
import type { ClosedGate, PluginDiagnosis } from './diagnosis.ts';

/** What a plugin does with a permission, as far as only its running shows that it does. */
const ASKED_FOR: Partial<Record<Permission, string>> = {
  'tools.register': 'tools',
  'tools.call': 'calls of other tools',
  'context.enrich': 'texts for the prompt',
  'ui.contribute': 'interfaces and widgets',
  'channels.register': 'messages',
  'storage.private': 'reads and writes of its storage',
  'storage.shared': 'reads and writes of the shared storage',
  'bus.write': 'messages to other plugins',
};

/** Every plugin that was found, or that the configuration or a project names, with its closed gates. They have run. */
export async function diagnosePlugins(
  core: HostCore,
  slots: readonly PluginSlot[],
  session: Session,
): Promise<PluginDiagnosis[]> {
  const found = await Promise.all(slots.map((slot) => diagnoseSlot(core, slot, session)));
  return [...found, ...unreadable(core), ...untrusted(core), ...missing(core, slots)];
}

async function diagnoseSlot(core: HostCore, slot: PluginSlot, session: Session): Promise<PluginDiagnosis> {
  const { id, manifest, origin, dir, file } = slot.plugin;
  const gates = [
    disabledGate(core, slot),
    channelGate(core, slot),
    slot.isDisabled ? undefined : await configuredGate(slot),
    ...lackedPermissions(slot).map(([permission, what]) => permissionGate(slot, permission, what)),
    ...problemGates(core, slot),
    startedGate(core, slot),
    audienceGate(core, slot, session),
  ];
  const closed = gates.filter((gate) => gate !== undefined);
  const notes = notesOn(slot);
  return {
    ...{ id, runtime: slot.runtimeName, origin, dir: file ?? dir, closed: closed.filter(isTold(closed)) },
    ...(notes.length > 0 && { notes }),
    tools: slot.isDisabled || manifest.permissions.length === 0 ? [] : diagnoseTools(core, id, session),
  };
}

/** Parts of its manifest, and hooks that it declared when it ran, for which nothing happens here. */
function notesOn({ offer, plugin: { manifest } }: PluginSlot): string[] {
  const parts = inertParts(manifest);
  for (const { event } of offer.hooks) {
    if (!HOOK_EVENTS.some((one) => one === event)) parts.push(`contributes.hooks (${event})`);
  }
  return [...new Set(parts)].map((part) => `${part} has no effect here`);
}

/** A plugin that did not start for its settings, or for lack of a permission, is told of once. */
function isTold(all: readonly ClosedGate[]): (gate: ClosedGate) => boolean {
  const explains = all.some(({ gate }) => gate === 'configured' || gate === 'permitted');
  return ({ gate }) => gate !== 'started' || !explains;
}

function disabledGate(
  { homeDir }: HostCore,
  { isDisabled, plugin: { id, server } }: PluginSlot,
): ClosedGate | undefined {
  if (!isDisabled) return undefined;
  const place = server ? `"disabled" from mcpServers.${id}` : `"${id}" from plugins.disabled`;
  return {
    ...{ gate: 'enabled', reason: 'it is disabled', isFault: false },
    remedy: `take ${place} in ${configOf(homeDir)}`,
  };
}

/** A channel stays off until the user's configuration says otherwise (fault G 29). */
function channelGate({ homeDir, channels }: HostCore, slot: PluginSlot): ClosedGate | undefined {
  const { origin, manifest } = slot.plugin;
  const name = slot.offer.channel?.name ?? manifest.contributes.channelProvider?.name;
  if (slot.isDisabled || typeof name !== 'string' || channels.givenFor(name) !== undefined) return undefined;
  return {
    ...{ gate: 'enabled', reason: `its channel "${name}" is off`, isFault: origin === 'home' || origin === 'flag' },
    remedy: `add "channels": {"${name}": {"enabled": true}} to ${configOf(homeDir)}`,
  };
}

async function configuredGate(slot: PluginSlot): Promise<ClosedGate | undefined> {
  const reason = await slot.settingsProblem();
  if (reason === undefined) return undefined;
  return {
    gate: 'configured',
    reason,
    remedy: `set it there, and see: toolpost plugins info ${slot.plugin.id}`,
    isFault: true,
  };
}

function permissionGate({ plugin }: PluginSlot, permission: Permission, what: string): ClosedGate {
  const { dir, file, origin } = plugin;
  const place = file === undefined ? join(dir, 'plugin.json') : 'a plugin.json, in a folder of its own';
  return {
    ...{ gate: 'permitted', reason: `its ${what} need the permission "${permission}"` },
    ...{ remedy: `add "${permission}" to "permissions" in ${place}`, isFault: origin !== 'bundled' },
  };
}

/** What it offers, its manifest names or it has asked for, without the permission for it: once for each permission. */
function lackedPermissions(slot: PluginSlot): [Permission, string][] {
  const { offer, isDisabled, plugin } = slot;
  const { manifest } = plugin;
  const { contributes } = manifest;
  const hasChannel = offer.channel !== undefined || contributes.channelProvider !== undefined;
  const needs: [boolean, Permission, string][] = [
    [offer.tools.length + contributes.tools.length > 0, 'tools.register', 'tools'],
    [offer.hooks.length + contributes.hooks.length > 0, 'hooks.subscribe', 'hooks'],
    [offer.enrichers.length > 0, 'context.enrich', 'texts for the prompt'],
    [(offer.subscriptions?.length ?? 0) > 0, 'bus.plugin', 'subscriptions'],
    [(offer.subscriptions?.length ?? 0) > 0, 'bus.read', 'subscriptions'],
    [offer.handlesUiActions === true, 'ui.contribute', 'handlers of actions'],
    [hasChannel, 'channels.register', 'messages'],
    [offersNothing(manifest), 'tools.register', 'tools, or whatever it offers,'],
  ];
  if (isDisabled) return [];
  for (const name of slot.lacked) needs.push([true, name, ASKED_FOR[name] ?? 'requests']);
  const lacked = new Map<Permission, string>();
  for (const [isNeeded, name, what] of needs)
    if (isNeeded && !isPermitted(manifest, name) && !lacked.has(name)) lacked.set(name, what);
  return [...lacked];
}

function offersNothing({ permissions }: Manifest): boolean {
  return permissions.length === 0;
}

/** What it declared when it ran and cannot have, for another reason than a permission. */
function problemGates(core: HostCore, { problems, plugin: { id, origin } }: PluginSlot): ClosedGate[] {
  return problems.map((problem) => ({
    ...{ gate: 'permitted', reason: core.redact(`left out: ${problem}`), isFault: origin !== 'bundled' },
    remedy: `mend that, and see: toolpost plugins info ${id}`,
  }));
}

function startedGate(core: HostCore, { error, isDisabled, plugin: { id } }: PluginSlot): ClosedGate | undefined {
  if (error === undefined || isDisabled) return undefined;
  const reason = core.redact(error);
  return { gate: 'started', reason, remedy: `mend that, and see its log: toolpost plugins info ${id}`, isFault: true };
}

function audienceGate(core: HostCore, { plugin: { id } }: PluginSlot, session: Session): ClosedGate | undefined {
  const entry = core.registry.plugins().find((one) => one.id === id);
  if (!entry || isForPerson(entry, session)) return undefined;
  const { tenants = [] } = entry;
  return {
    ...{ gate: 'visible', reason: `it is for ${tenants.join(', ')} alone, as tenants.*.plugins says`, isFault: false },
    remedy: `look as one of them: --tenant ${tenants[0]}`,
  };
}

/** Their manifests are not valid. */
function unreadable({ discovery }: HostCore): PluginDiagnosis[] {
  return discovery.problems.map(({ id, dir, file, origin, error }) => ({
    ...{ id: id ?? basename(file ?? dir), runtime: '', origin, dir: file ?? dir, tools: [] },
    closed: [
      { gate: 'found', reason: error.message, remedy: `see: toolpost plugins validate ${file ?? dir}`, isFault: true },
    ],
  }));
}

/** Files of a root are nobody's before a person has accepted them; changed ones were accepted once. */
function untrusted({ roots, trust }: HostCore): PluginDiagnosis[] {
  return roots.flatMap((root) => {
    const check = trust.check(root);
    const reason = describeTrust(check);
    if (reason === undefined) return [];
    const isFault = check.status !== 'unknown';
    return [
      {
        ...{ id: basename(root), runtime: '', origin: 'project', dir: root, tools: [] },
        closed: [{ gate: 'trusted' as const, reason, remedy: `toolpost trust ${root}`, isFault }],
      },
    ];
  });
}

/** What the user's configuration names and is nowhere. */
function missing(
  { homeDir, settings, discovery, channels }: HostCore,
  slots: readonly PluginSlot[],
): PluginDiagnosis[] {
  const known = new Set(['*', 'builtin', 'app', ...slots.map(({ plugin }) => plugin.id)]);
  for (const { id } of discovery.problems) if (id !== undefined) known.add(id);
  const named = new Map<string, string>();
  const note = (id: string, place: string) => void (known.has(id) || named.has(id) || named.set(id, place));
  for (const id of Object.keys(settings.plugins.settings)) note(id, `plugins.settings.${id}`);
  for (const section of ['limits', 'toolPolicy'] as const)
    for (const id of Object.keys(settings[section])) note(id, `${section}.${id}`);
  for (const [tenant, { plugins = [], users = {} }] of Object.entries(settings.tenants)) {
    for (const id of plugins) note(id, `tenants.${tenant}.plugins`);
    for (const [user, own] of Object.entries(users))
      for (const id of own.plugins ?? []) note(id, `tenants.${tenant}.users.${user}.plugins`);
  }
  const absent = [...named].map(([id, place]) => absentPlugin(id, place, homeDir));
  const offered = new Set(
    slots.map((slot) => slot.offer.channel?.name ?? slot.plugin.manifest.contributes.channelProvider?.name),
  );
  const silent = channels.enabledNames.filter((name) => !offered.has(name));
  return [...absent, ...silent.map((name) => absentPlugin(name, `channels.${name}.enabled`, homeDir))];
}

function absentPlugin(id: string, place: string, homeDir: string): PluginDiagnosis {
  const remedy = `put it into ${join(homeDir, 'plugins')}, or name its folder: --plugins DIR`;
  const reason = `${place} of the configuration names it, and it was not found`;
  return {
    id,
    runtime: '',
    origin: '',
    dir: '',
    tools: [],
    closed: [{ gate: 'found', reason, remedy, isFault: true }],
  };
}

function configOf(homeDir: string): string {
  return join(homeDir, 'config.json');
}
