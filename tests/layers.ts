import { builtinModules } from 'node:module';
import { posix } from 'node:path';

/** A source file by its path from the repository's root, as in `packages/host/src/host.ts`. */
export type Sources = ReadonlyMap<string, string>;

export interface Import {
  readonly from: string;
  /** A source file's path, or a module's name. */
  readonly to: string;
  readonly isType: boolean;
}

const STATIC = /^\s*(?:import|export)\s+(type\s)?(?:[^;'"]*?\sfrom\s+)?['"]([^'"]+)['"]/gm;
const DYNAMIC = /\bimport\(\s*['"]([^'"]+)['"]\s*\)/g;

export function importsOf(sources: Sources): Import[] {
  return [...sources].flatMap(([from, text]) => {
    const target = (name: string) => (name.startsWith('.') ? posix.join(posix.dirname(from), name) : name);
    const fixed = [...text.matchAll(STATIC)].map(([, type, name = '']) => ({
      from,
      to: target(name),
      isType: type !== undefined,
    }));
    // What is loaded when it is needed cannot be part of a cycle of loading, but has a direction as any other.
    const late = [...text.matchAll(DYNAMIC)].map(([, name = '']) => ({ from, to: target(name), isType: true }));
    return [...fixed, ...late];
  });
}

/** Which packages a package may import (design section 2). */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  protocol: [],
  sdk: ['protocol'],
  host: ['protocol', 'sdk'],
  cli: ['protocol', 'sdk', 'host'],
  web: ['protocol'],
};

/** The host's folders and root files, lowest first. Each may import its own level and those below, types too. */
const HOST_LEVELS: readonly (readonly string[])[] = [
  ['processes'],
  ['registry', 'permissions', 'settings', 'trust', 'plugins', 'models', 'sessions', 'builtin', 'runtimes'],
  ['call-tool.ts', 'call-path', 'bus', 'hooks', 'limits', 'journal', 'agent'],
  // The host itself: every other file and folder.
  [],
  ['server', 'mcp-server', 'adapters', 'index.ts'],
];
const HOST_ITSELF = 3;
/** Folders that decide and touch nothing: no files, processes or network. */
const PURE = ['registry', 'permissions'];
/** The SDK's side of a component that `toolpost build` makes. */
const GUEST = 'packages/sdk/src/wasm/';
const INPUT_OUTPUT = /^node:(?:fs|child_process|net|http|https|http2|dns|dgram|worker_threads)(?:\/|$)/;

/** One sentence for each import that goes the wrong way. `declared` are the dependencies of each package. */
export function breachesOf(
  imports: readonly Import[],
  declared: Readonly<Record<string, readonly string[]>>,
): string[] {
  const rules = [packageBreach, levelBreach, runtimeBreach, purityBreach, agentBreach, componentBreach];
  return imports.flatMap((one) => {
    const found = [...rules.map((rule) => rule(one)), dependencyBreach(one, declared)];
    return found.flatMap((why) => (why === undefined ? [] : [`${one.from} imports ${one.to}: ${why}`]));
  });
}

function packageBreach({ from, to }: Import): string | undefined {
  const own = packageOf(from);
  const other = /^@toolpost\/(\w+)/.exec(to)?.[1] ?? (isFile(to) ? packageOf(to) : own);
  if (own === other)
    return isFile(to) || !to.startsWith('@toolpost/') ? undefined : 'within a package imports are relative';
  if (isFile(to)) return `another package is imported by its name, @toolpost/${other}`;
  return PACKAGES[own]?.includes(other) ? undefined : `${own} may import ${PACKAGES[own]?.join(', ') || 'no package'}`;
}

function levelBreach({ from, to }: Import): string | undefined {
  const [own, other] = [hostPart(from), hostPart(to)];
  if (own === undefined || other === undefined) return undefined;
  return levelOf(other) > levelOf(own) ? `${other} stands above ${own} in the host` : undefined;
}

function runtimeBreach({ from, to }: Import): string | undefined {
  const other = runtimeOf(to);
  if (other === undefined || runtimeOf(from) === other) return undefined;
  if (runtimeOf(from) !== undefined) return 'runtimes never import one another';
  const part = hostPart(from);
  const isWiring = part === 'runtimes' || (part !== undefined && levelOf(part) === HOST_ITSELF);
  return isWiring ? undefined : 'only the host itself knows the single runtimes';
}

function purityBreach({ from, to }: Import): string | undefined {
  const part = hostPart(from);
  if (packageOf(from) === 'protocol' && to.startsWith('node:')) return 'the protocol runs in a browser too';
  return part !== undefined && PURE.includes(part) && INPUT_OUTPUT.test(to)
    ? `${part} does no input or output`
    : undefined;
}

function agentBreach({ from, to }: Import): string | undefined {
  if (hostPart(from) !== 'agent') return undefined;
  const other = hostPart(to);
  const isFree = other === undefined || other === 'agent' || other === 'models';
  return isFree ? undefined : 'the agent sees a model and a callTool function, no more of the host';
}

function dependencyBreach(
  { from, to }: Import,
  declared: Readonly<Record<string, readonly string[]>>,
): string | undefined {
  if (isFile(to) || to.startsWith('node:') || isImportOfWorld(to)) return undefined;
  if (builtinModules.includes(to)) return `write node:${to}`;
  const name = to.split('/', to.startsWith('@') ? 2 : 1).join('/');
  return declared[packageOf(from)]?.includes(name)
    ? undefined
    : `${name} is not in the package.json of ${packageOf(from)}`;
}

/** What runs inside a component: it has the imports of its world, and no Node. */
function componentBreach({ from, to }: Import): string | undefined {
  const isGuest = from.startsWith(GUEST);
  if (isImportOfWorld(to)) return isGuest ? undefined : 'only a component has the imports of its world';
  return isGuest && to.startsWith('node:') ? 'a component has no Node' : undefined;
}

function isImportOfWorld(name: string): boolean {
  return /^(?:toolpost|wasi):/.test(name);
}

/** Each circle of files that load one another, as `a -> b -> a`. Imports of types only load nothing. */
export function circlesOf(imports: readonly Import[]): string[] {
  const targets = Map.groupBy(
    imports.filter(({ to, isType }) => !isType && isFile(to)),
    ({ from }) => from,
  );
  const done = new Set<string>();
  const circles: string[] = [];
  const visit = (file: string, path: readonly string[]): void => {
    const start = path.indexOf(file);
    if (start !== -1) circles.push([...path.slice(start), file].join(' -> '));
    if (start !== -1 || done.has(file)) return;
    for (const { to } of targets.get(file) ?? []) visit(to, [...path, file]);
    done.add(file);
  };
  for (const file of targets.keys()) visit(file, []);
  return circles;
}

function isFile(to: string): boolean {
  return to.startsWith('packages/');
}

function packageOf(path: string): string {
  return path.split('/')[1] ?? '';
}

/** The first folder below the host's `src`, or its root file. */
function hostPart(path: string): string | undefined {
  return /^packages\/host\/src\/([^/]+)/.exec(path)?.[1];
}

function runtimeOf(path: string): string | undefined {
  return /^packages\/host\/src\/runtimes\/([^/]+)\//.exec(path)?.[1];
}

function levelOf(part: string): number {
  const level = HOST_LEVELS.findIndex((parts) => parts.includes(part));
  return level === -1 ? HOST_ITSELF : level;
}
