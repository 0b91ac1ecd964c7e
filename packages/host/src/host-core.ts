import { fileURLToPath } from 'node:url';
import type { RootSpelling } from '@toolpost/protocol';
import { createEventBus, type EventBus } from './bus/event-bus.ts';
import type { BeyondCall } from './call-path/beyond-call.ts';
import { createByteMasks } from './call-path/byte-mask.ts';
import type { CallPath } from './call-path/call-in-progress.ts';
import { createRedactor, type Redactor } from './call-path/redactor.ts';
import type { HostOptions } from './host-options.ts';
import { openCallPath } from './open-call-path.ts';
import { type ChannelHub, createChannelHub } from './plugin-life/channel-hub.ts';
import { createPluginNewsHub, type PluginNewsHub } from './plugin-life/plugin-news-hub.ts';
import type { Discovery } from './plugins/discover-plugins.ts';
import { createPluginCache, type PluginCache } from './plugins/plugin-cache.ts';
import { readHome } from './read-home.ts';
import { createRegistry, type Registry } from './registry/registry.ts';
import type { ByteMask } from './runtimes/runtime.ts';
import type { Settings } from './settings/settings-schema.ts';
import { createPluginStores, type PluginStores } from './storage/plugin-stores.ts';
import { openTelemetry, wantsContent } from './telemetry/open-telemetry.ts';
import type { Telemetry } from './telemetry/telemetry.ts';
import type { ProjectFiles } from './trust/project-files.ts';
import type { TrustStore } from './trust/trust-store.ts';
import { HOST_VERSION } from './version.ts';

/** The parts that a host is wired from. */
export interface HostCore {
  readonly options: HostOptions;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** What manifests may name variables of: no token of a server, which would let a plugin answer for a person. */
  readonly pluginEnvironment: Readonly<Record<string, string | undefined>>;
  readonly homeDir: string;
  readonly roots: readonly string[];
  readonly rootSpellings: readonly RootSpelling[];
  readonly settings: Settings;
  readonly trust: TrustStore;
  /** The trusted projects among the roots. */
  readonly projects: readonly ProjectFiles[];
  /** What was found last. */
  readonly discovery: Discovery;
  /** Looks for plugins again, by the same flags, settings and trusted projects. @throws HostError CONFIG_INVALID */
  readonly discover: () => Discovery;
  readonly cache: PluginCache;
  readonly pythonDir: string;
  readonly registry: Registry;
  readonly channels: ChannelHub;
  readonly stores: PluginStores;
  readonly bus: EventBus;
  readonly pluginNews: PluginNewsHub;
  readonly beyond: BeyondCall;
  readonly callPath: CallPath;
  readonly redact: Redactor;
  readonly telemetry: Telemetry | undefined;
  /** The redactor for bytes that come in pieces: one for each stream. */
  readonly maskBytes: () => ByteMask;
  readonly warn: (message: string) => void;
}

/** Reads what the host has to know, and makes the call path and the other parts of it. Nothing is started. */
export async function createHostCore(options: HostOptions): Promise<HostCore> {
  const { secrets, warnings, ...home } = await readHome(options);
  const { environment, homeDir, settings, discovery } = home;
  const warnOnce = onceEach(options.onWarning);
  for (const message of warnings) warnOnce(message);
  const redact = createRedactor(secrets);
  // A warning is one line, whatever a plugin's last words were.
  const warn = (message: string) => warnOnce(redact(message).replace(/\s*[\r\n]+\s*/g, ' '));
  const registry = createRegistry();
  const recordsContent = options.recordsContent ?? wantsContent(environment);
  const telemetry = await openTelemetry({ recordsContent, redact });
  const bus = createEventBus();
  const beyond = createBeyondCall(bus);
  return {
    ...home,
    ...{ options, registry, bus, beyond, redact, telemetry, warn },
    cache: createPluginCache(`${homeDir}/cache`, HOST_VERSION),
    pythonDir: options.pythonDir ?? fileURLToPath(new URL('../python', import.meta.url)),
    channels: createChannelHub(settings.channels, declaredChannels(discovery)),
    stores: createPluginStores({ homeDir, onProblem: warn }),
    pluginNews: createPluginNewsHub(registry),
    callPath: await openCallPath({ options, homeDir, settings, registry, redact, warn, beyond, telemetry }),
    maskBytes: createByteMasks(() => redact.secrets),
  };
}

/** Calls of tools by tools go through the host, which is made of this: it says how, before anything is called. */
function createBeyondCall(bus: EventBus): BeyondCall {
  return {
    callTool: () => Promise.reject(new Error('the host is not there yet')),
    publish: (...given) => bus.publish(...given),
  };
}

/** In the order of discovery, which is that of precedence. */
function declaredChannels({ plugins }: Discovery): { id: string; channel: string }[] {
  return plugins.flatMap(({ id, disabled, manifest }) => {
    const channel = manifest.contributes.channelProvider?.name;
    return typeof channel === 'string' && !disabled ? [{ id, channel }] : [];
  });
}

/** A plugin that is broken is broken at each call: its warning is worth one line. */
function onceEach(onWarning: ((message: string) => void) | undefined): (message: string) => void {
  const seen = new Set<string>();
  return (message) => {
    if (seen.has(message) || seen.size > 10_000) return;
    seen.add(message);
    onWarning?.(message);
  };
}
