import { isBuiltin } from 'node:module';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { messageOf } from '@toolpost/protocol';
import type { Bundler } from './build-tools.ts';
import { ComponentBuildError } from './component-build-error.ts';
import type { ComponentModules } from './component-files.ts';

const START = 'toolpost:start';
/** What the component's world gives. */
const IMPORTS_OF_WORLD = /^(?:toolpost|wasi):.*\/.*@/;
/**
 * QuickJS runs the jobs of its own promises only after asynchronous exports, so that async functions are written as
 * generators over the SDK's promises: the last edition of the language without them.
 */
const TARGET = 'es2016';

export interface BundleOptions {
  readonly entry: string;
  readonly pluginId: string;
  readonly modules: ComponentModules;
}

interface BundlerLog {
  readonly code?: string;
  readonly message: string;
  readonly id?: string;
}

/**
 * Makes one module of a plugin's source and all that it imports, which exports what the world asks for.
 * @throws ComponentBuildError that names the file and the import that a component cannot have.
 */
export async function bundlePlugin({ rolldown }: Bundler, options: BundleOptions): Promise<string> {
  const { entry, modules } = options;
  const problems: string[] = [];
  const dir = path.dirname(entry);
  try {
    const bundle = await rolldown({
      input: START,
      cwd: dir,
      platform: 'neutral',
      // What packages have for browsers needs no Node.
      resolve: { mainFields: ['browser', 'module', 'main'], conditionNames: ['import', 'browser', 'default'] },
      external: IMPORTS_OF_WORLD,
      transform: { target: TARGET, define: { 'process.env.NODE_ENV': '"production"' } },
      plugins: [startModule(options), resolver(modules, dir, problems)],
      onLog: (_level: string, log: BundlerLog) => void problems.push(...problemOf(log)),
    });
    const { output } = await bundle.generate({ format: 'esm', codeSplitting: false });
    await bundle.close();
    if (problems.length === 0) return output.find(({ type }) => type === 'chunk')?.code ?? '';
  } catch (error) {
    if (problems.length === 0) problems.push(plain(messageOf(error)));
  }
  throw new ComponentBuildError(`${entry} cannot become a component:\n${[...new Set(problems)].join('\n')}`);
}

/** The module that starts it all: the SDK with the globals first, then the plugin. */
function startModule({ entry, pluginId }: BundleOptions) {
  const names = { pluginId, file: path.basename(entry) };
  const code = [
    "import { createGuest } from '@toolpost/sdk';",
    `import * as exports from ${JSON.stringify(entry)};`,
    `export const tools = createGuest(exports, ${JSON.stringify(names)});`,
  ].join('\n');
  return {
    name: 'toolpost-start',
    resolveId: (source: string) => (source === START ? START : undefined),
    load: (id: string) => (id === START ? code : undefined),
  };
}

interface ResolveContext {
  resolve(source: string, importer: string | undefined, options: object): Promise<{ id: string } | null>;
}

/** The SDK is always the host's, zod the plugin's own where it has one: the same as when it runs natively. */
function resolver(modules: ComponentModules, dir: string, problems: string[]) {
  return {
    name: 'toolpost-modules',
    async resolveId(this: ResolveContext, source: string, importer: string | undefined) {
      if (isBuiltin(source)) {
        problems.push(`${shortName(importer, dir)} imports "${source}", which is Node's: ${remedyFor(source)}`);
        return { id: source, external: true };
      }
      if (source.startsWith('@toolpost/sdk')) return modules[source];
      const own = modules[source];
      if (own === undefined) return undefined;
      return (await this.resolve(source, importer, { skipSelf: true })) ?? own;
    },
  };
}

function remedyFor(source: string): string {
  if (/^(?:node:)?fs(?:\/promises)?$/.test(source)) return 'a component reads and writes files with @toolpost/sdk/fs';
  if (/^(?:node:)?timers/.test(source)) return 'a component has setTimeout';
  if (/^(?:node:)?child_process$/.test(source)) return 'a component runs commands with syscalls.spawn of @toolpost/sdk';
  return 'a component has only JavaScript itself, @toolpost/sdk and packages that need no Node';
}

/** What the bundler warns of and a component cannot live with. */
function problemOf({ code, message }: BundlerLog): string[] {
  const text = plain(message);
  if (code === 'UNRESOLVED_IMPORT') return [`${firstLine(text)}: install it in the plugin's folder`];
  if (code === 'TOLERATED_TRANSFORM') return [`${firstLine(text)}: do it in activate of definePlugin, or in the tool`];
  if (code === 'IMPORT_IS_UNDEFINED' || code === 'MISSING_EXPORT') return [text];
  return [];
}

function firstLine(text: string): string {
  const [line = ''] = text.split('\n');
  return line.replace(/, treating.*|\.$/, '');
}

function plain(text: string): string {
  return stripVTControlCharacters(text).trim();
}

function shortName(file: string | undefined, dir: string): string {
  return file === undefined ? 'the plugin' : path.relative(dir, file) || path.basename(file);
}
