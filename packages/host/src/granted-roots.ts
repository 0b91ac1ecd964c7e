import type { RootSpelling, Session } from '@toolpost/protocol';
import { isInside } from './builtin/confine-path.ts';
import type { HostCore } from './host-core.ts';
import { leadsTo, readRoots, realRoots } from './real-roots.ts';

type RootsOfHost = Pick<HostCore, 'settings' | 'roots' | 'rootSpellings'>;
type GrantedRoots = Pick<Session, 'roots' | 'readOnlyRoots' | 'rootSpellings'>;

/**
 * The roots of a new session: those that are asked for, else those of the tenant's configuration, else the host's own. A
 * tenant that is configured without any has none: the host's own are the operator's. What lies in a root that the tenant
 * may only read stays read-only, however it is asked for.
 * @throws HostError CONFIG_INVALID that names one that is no directory.
 */
export function grantedRoots(host: RootsOfHost, tenant: string, asked: readonly string[] | undefined): GrantedRoots {
  const configured = configuredRoots(host, tenant);
  const unasked = () => configured?.map(({ path }) => path) ?? (host.settings.tenants[tenant] ? [] : host.roots);
  const given = asked && readRoots(asked, process.cwd());
  const rootSpellings = [...(given?.rootSpellings ?? []), ...host.rootSpellings];
  return frozen(given?.roots ?? unasked(), { configured, rootSpellings });
}

/**
 * The roots of a session that was kept: those that are still there, and still inside what its tenant has. A tenant that is
 * configured without any has those alone that its channel has by its own configuration, and with `areGiven` those that
 * whoever runs this host has given it, as a flag does.
 */
export function keptRoots(host: RootsOfHost, session: Session, areGiven: boolean): GrantedRoots {
  const { tenant, channel, roots, rootSpellings = [] } = session;
  const configured = configuredRoots(host, tenant);
  const unnamed = host.settings.tenants[tenant] && !areGiven ? channelRoots(host, channel) : undefined;
  const granted = configured?.map(({ path }) => path) ?? unnamed;
  const isGranted = (root: string) => !granted || granted.some((path) => isInside(path, root));
  const kept = roots.filter((root) => realpathOf(root) === root && isGranted(root));
  return frozen(kept, { configured, rootSpellings: [...rootSpellings, ...host.rootSpellings] });
}

function configuredRoots({ settings }: RootsOfHost, tenant: string): readonly ConfiguredRoot[] | undefined {
  return settings.tenants[tenant]?.roots?.map(({ path: given, readOnly = false }) => {
    const { roots, rootSpellings } = readRoots([given], process.cwd());
    return { path: roots[0] ?? given, rootSpellings, readOnly };
  });
}

function channelRoots({ settings }: RootsOfHost, channel: string): readonly string[] {
  const roots = settings.channels[channel]?.roots;
  if (!Array.isArray(roots)) return [];
  return roots.flatMap((root) => (typeof root === 'string' ? (realpathOf(root, process.cwd()) ?? []) : []));
}

function realpathOf(path: string, baseDir = path): string | undefined {
  try {
    return realRoots([path], baseDir)[0];
  } catch {
    return undefined;
  }
}

interface Known {
  readonly configured: readonly ConfiguredRoot[] | undefined;
  readonly rootSpellings: readonly RootSpelling[];
}

function frozen(roots: readonly string[], { configured = [], rootSpellings }: Known): GrantedRoots {
  const readOnlyRoots = readOnlyAmong(roots, configured);
  const known = [...rootSpellings, ...configured.flatMap((one) => one.rootSpellings)];
  // A link may lead elsewhere by now.
  const valid = known.filter(({ root, spelling }) => roots.includes(root) && leadsTo(spelling, root));
  const spellings = [...new Map(valid.map((one) => [one.spelling, one])).values()];
  return {
    roots: Object.freeze([...new Set(roots)]),
    ...(readOnlyRoots.length > 0 && { readOnlyRoots: Object.freeze(readOnlyRoots) }),
    ...(spellings.length > 0 && { rootSpellings: Object.freeze(spellings) }),
  };
}

interface ConfiguredRoot {
  readonly path: string;
  readonly rootSpellings: readonly RootSpelling[];
  readonly readOnly: boolean;
}

/** The roots that lie in a read-only one, and the read-only ones that lie in a root. */
function readOnlyAmong(roots: readonly string[], configured: readonly ConfiguredRoot[]): string[] {
  const around = (root: string) =>
    configured.filter(({ path }) => isInside(path, root)).sort((a, b) => b.path.length - a.path.length)[0];
  const held = roots.filter((root) => around(root)?.readOnly === true);
  const within = configured.filter(({ path, readOnly }) => readOnly && roots.some((root) => isInside(root, path)));
  return [...new Set([...held, ...within.map(({ path }) => path)])];
}
