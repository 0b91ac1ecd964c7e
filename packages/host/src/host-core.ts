import { fileURLToPath } from 'node:url';
import type { RootSpelling, Session } from '@toolpost/protocol';
import { createEventBus, type EventBus } from './bus/event-bus.ts';
import type { BeyondCall } from './call-path/beyond-call.ts';
import { createByteMasks } from './call-path/byte-mask.ts';
import type { CallPath } from './call-path/call-in-progress.ts';
import { createOutputFiles } from './call-path/output-files.ts';
import { createRedactor, type Redactor } from './call-path/redactor.ts';
import { createHookRunner } from './hooks/run-hooks.ts';
import type { HostOptions } from './host-options.ts';
import { createJournal } from './journal/journal.ts';
import { createLimits } from './limits/limits.ts';
import { openProjects } from './open-projects.ts';
import { createApprovals } from './permissions/approvals.ts';
import { createTenantPermissions } from './permissions/tenant-permissions.ts';
import { type ChannelHub, createChannelHub } from './plugin-life/channel-hub.ts';
import { createPluginNewsHub, type PluginNewsHub } from './plugin-life/plugin-news-hub.ts';
import { secretsOf } from './plugin-life/plugin-services.ts';
import { type Discovery, discoverPlugins } from './plugins/discover-plugins.ts';
import { createPluginCache, type PluginCache } from './plugins/plugin-cache.ts';
import { serverSecrets } from './plugins/server-secrets.ts';
import { readRoots } from './real-roots.ts';
import { createRegistry, type Registry } from './registry/registry.ts';
import type { ByteMask } from './runtimes/runtime.ts';
import { openHomeDir } from './settings/home-dir.ts';
import { loadSettings } from './settings/load-settings.ts';
import { addProjectSettings } from './settings/project-settings.ts';
import type { Settings } from './settings/settings-schema.ts';
import { readTenantTokens } from './settings/tenant-tokens.ts';
import { openSharedQuota } from './shared-quota.ts';
import { createPluginStores, type PluginStores } from './storage/plugin-stores.ts';
import { openTelemetry, wantsContent } from './telemetry/open-telemetry.ts';
import type { Telemetry } from './telemetry/telemetry.ts';
import { createKeptApprovals } from './trust/kept-approvals.ts';
import type { ProjectFiles } from './trust/project-files.ts';
import { createTrustStore, type TrustStore } from './trust/trust-store.ts';
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

/** Values of these must not show up anywhere, whoever prints them. */
const SECRET_VARIABLES = ['OPENAI_API_KEY', 'ANTHROPIC_API_KEY', 'TOOLPOST_TOKEN'];

/** Reads home, configuration, trust and plugins, in that order, and makes the call path of them. */
export async function createHostCore(options: HostOptions): Promise<HostCore> {
  const environment = options.environment ?? process.env;
  const warn = onceEach(options.onWarning);
  const homeDir = await openHomeDir(environment);
  const { roots, rootSpellings } = readRoots(options.roots ?? ['.'], process.cwd());
  const trust = createTrustStore(homeDir);
  const projects = openProjects(roots, trust);
  const own = loadSettings({ homeDir, ...(options.configFile !== undefined && { configFile: options.configFile }) });
  const { settings, warnings } = addProjectSettings(own.settings, projects.trusted);
  const tenantTokens = readTenantTokens(settings.tenants, environment);
  const pluginEnvironment = withoutTokens(environment, tenantTokens.variables);
  const discoverAgain = () => discover(options, { homeDir, settings, trusted: projects.trusted, pluginEnvironment });
  const discovery = discoverAgain();
  for (const message of [...own.warnings, ...projects.warnings, ...warnings, ...discovery.warnings]) warn(message);
  for (const message of tenantTokens.warnings) warn(`configuration: ${message}`);
  const secrets = [
    ...SECRET_VARIABLES.map((name) => environment[name] ?? ''),
    ...tenantTokens.tokens.map(({ token }) => token),
    ...discovery.plugins.flatMap(({ manifest }) => secretsOf(manifest, settings)),
    ...discovery.plugins.flatMap(({ server }) => (server ? serverSecrets(server) : [])),
  ];
  const redact = createRedactor(secrets);
  // A warning is one line, whatever a plugin's last words were.
  const warnSafely = (message: string) => warn(redact(message).replace(/\s*[\r\n]+\s*/g, ' '));
  const registry = createRegistry();
  const recordsContent = options.recordsContent ?? wantsContent(environment);
  const telemetry = await openTelemetry({ recordsContent, redact });
  const bus = createEventBus();
  const beyond: BeyondCall = {
    callTool: () => Promise.reject(new Error('the host is not there yet')),
    publish: (...given) => bus.publish(...given),
  };
  return {
    options,
    environment,
    pluginEnvironment,
    homeDir,
    roots,
    rootSpellings,
    settings,
    trust,
    projects: projects.trusted,
    discovery,
    discover: discoverAgain,
    cache: createPluginCache(`${homeDir}/cache`, HOST_VERSION),
    pythonDir: options.pythonDir ?? fileURLToPath(new URL('../python', import.meta.url)),
    registry,
    channels: createChannelHub(settings.channels, declaredChannels(discovery)),
    stores: createPluginStores({ homeDir, onProblem: warnSafely }),
    bus,
    pluginNews: createPluginNewsHub(registry),
    beyond,
    callPath: await createCallPath({
      ...{ options, homeDir, settings, registry, redact, warn: warnSafely, beyond, telemetry },
    }),
    redact,
    telemetry,
    maskBytes: createByteMasks(() => redact.secrets),
    warn: warnSafely,
  };
}

/** In the order of discovery, which is that of precedence. */
function declaredChannels({ plugins }: Discovery): { id: string; channel: string }[] {
  return plugins.flatMap(({ id, disabled, manifest }) => {
    const channel = manifest.contributes.channelProvider?.name;
    return typeof channel === 'string' && !disabled ? [{ id, channel }] : [];
  });
}

function withoutTokens(environment: HostCore['environment'], variables: readonly string[]): HostCore['environment'] {
  const hidden = new Set(['TOOLPOST_TOKEN', ...variables]);
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !hidden.has(name)));
}

interface Found {
  readonly homeDir: string;
  readonly settings: Settings;
  readonly trusted: readonly ProjectFiles[];
  readonly pluginEnvironment: HostCore['pluginEnvironment'];
}

function discover(
  { pluginDirs = [], bundledDir }: HostOptions,
  { homeDir, settings, trusted, pluginEnvironment }: Found,
): Discovery {
  const trustedRoots = trusted.map(({ root }) => root);
  return discoverPlugins({
    pluginDirs,
    homeDir,
    trustedRoots,
    settings,
    environment: pluginEnvironment,
    ...(bundledDir !== undefined && { bundledDir }),
  });
}

interface CallPathParts {
  readonly options: HostOptions;
  readonly homeDir: string;
  readonly settings: Settings;
  readonly registry: Registry;
  readonly redact: Redactor;
  readonly warn: (message: string) => void;
  readonly beyond: BeyondCall;
  readonly telemetry: Telemetry | undefined;
}

async function createCallPath({
  options,
  homeDir,
  settings,
  registry,
  redact,
  warn,
  beyond,
  telemetry,
}: CallPathParts): Promise<CallPath> {
  const outputFiles = createOutputFiles(homeDir, warn);
  const flags = (options.allow ?? []).map((text) => ({ text, place: '--allow' }));
  const rules = {
    ...settings.permissions,
    allow: [...settings.permissions.allow, ...flags],
    yes: options.yes === true,
    isOwnOutput: (path: string, session: Session) => outputFiles.isOwn(path, session),
  };
  const rulesByTenant = Object.entries(settings.tenants).map(([id, tenant]) => [id, tenant.permissions] as const);
  const permissions = await createTenantPermissions(rules, Object.fromEntries(rulesByTenant));
  return {
    snapshotOf: (session: Session) => registry.snapshot(session),
    hooks: createHookRunner(),
    permissions,
    approvals: createApprovals(),
    keptApprovals: createKeptApprovals(homeDir, redact),
    saysYes: options.yes === true,
    limits: createLimits(settings.limits, { dailyQuota: await openSharedQuota(settings.limits, { homeDir, warn }) }),
    outputFiles,
    outputBytesOf: (pluginId) => settings.limits[pluginId]?.outputBytes,
    journal: createJournal({ homeDir, redact, onProblem: warn }),
    confine: async (roots, path) => {
      const { resolveInRoots } = await import('./builtin/confine-path.ts');
      return (await resolveInRoots(roots, path, { homeDir, forWrite: true })).path;
    },
    redact,
    warn,
    beyond,
    telemetry,
  };
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
