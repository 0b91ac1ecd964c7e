import type { HostCore } from './host-core.ts';
import type { HostOptions } from './host-options.ts';
import { openProjects } from './open-projects.ts';
import { secretsOf } from './plugin-life/plugin-services.ts';
import { type Discovery, discoverPlugins } from './plugins/discover-plugins.ts';
import { serverSecrets } from './plugins/server-secrets.ts';
import { readRoots } from './real-roots.ts';
import { openHomeDir } from './settings/home-dir.ts';
import { loadSettings } from './settings/load-settings.ts';
import { addProjectSettings } from './settings/project-settings.ts';
import type { Settings } from './settings/settings-schema.ts';
import { readTenantTokens } from './settings/tenant-tokens.ts';
import type { ProjectFiles } from './trust/project-files.ts';
import { createTrustStore } from './trust/trust-store.ts';

/** Values of these must not show up anywhere, whoever prints them. */
const SECRET_VARIABLES = ['OPENAI_API_KEY', 'ANTHROPIC_API_KEY', 'TOOLPOST_TOKEN'];

/** What a host finds in its home, its configuration and the projects among its roots. */
export interface HostHome
  extends Pick<
      HostCore,
      'environment' | 'pluginEnvironment' | 'homeDir' | 'roots' | 'rootSpellings' | 'settings' | 'trust'
    >,
    Pick<HostCore, 'projects' | 'discovery' | 'discover'> {
  /** Texts that must not show up anywhere, whoever prints them. */
  readonly secrets: readonly string[];
  /** What is odd in all that, one line each. */
  readonly warnings: readonly string[];
}

/** Reads home, configuration, trust and plugins, in that order. @throws HostError CONFIG_INVALID */
export async function readHome(options: HostOptions): Promise<HostHome> {
  const environment = options.environment ?? process.env;
  const homeDir = await openHomeDir(environment);
  const { roots, rootSpellings } = readRoots(options.roots ?? ['.'], process.cwd());
  const trust = createTrustStore(homeDir);
  const projects = openProjects(roots, trust);
  const own = loadSettings({ homeDir, ...(options.configFile !== undefined && { configFile: options.configFile }) });
  const { settings, warnings } = addProjectSettings(own.settings, projects.trusted);
  const tenants = readTenantTokens(settings.tenants, environment);
  const pluginEnvironment = withoutTokens(environment, tenants.variables);
  const discoverAgain = () => discover(options, { homeDir, settings, trusted: projects.trusted, pluginEnvironment });
  const discovery = discoverAgain();
  return {
    ...{ environment, pluginEnvironment, homeDir, roots, rootSpellings, settings, trust },
    ...{ projects: projects.trusted, discovery, discover: discoverAgain },
    secrets: [
      ...SECRET_VARIABLES.map((name) => environment[name] ?? ''),
      ...tenants.tokens.map(({ token }) => token),
      ...discovery.plugins.flatMap(({ manifest }) => secretsOf(manifest, settings)),
      ...discovery.plugins.flatMap(({ server }) => (server ? serverSecrets(server) : [])),
    ],
    warnings: [
      ...[...own.warnings, ...projects.warnings, ...warnings, ...discovery.warnings],
      ...tenants.warnings.map((message) => `configuration: ${message}`),
    ],
  };
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
