import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { messageOf } from '@toolpost/protocol';
import { ComponentBuildError } from './component-build-error.ts';

/** The versions that this one was tested with. */
const TOOLS = { rolldown: '1.2.19', 'componentize-qjs': '0.4.5' } as const;
type ToolName = keyof typeof TOOLS;

/** Of rolldown, what is used. */
export interface Bundler {
  rolldown(options: object): Promise<{
    generate(options: object): Promise<{ output: readonly { type: string; code?: string }[] }>;
    close(): Promise<void>;
  }>;
}

/** Of componentize-qjs, what is used. */
export interface Componentizer {
  componentize(options: {
    witPath: string;
    jsSource: string;
    world?: string;
    sync?: boolean;
    optSize?: boolean;
  }): Promise<{ component: Uint8Array }>;
}

export interface BuildTools {
  readonly bundler: Bundler;
  readonly componentizer: Componentizer;
}

/**
 * Loads what makes a component of JavaScript: installed with the plugin, or with Toolpost. Neither comes with Toolpost.
 * @throws ComponentBuildError that says how to install what is missing.
 */
export async function loadBuildTools(pluginDir: string, ownPlace: string = import.meta.url): Promise<BuildTools> {
  const names = Object.keys(TOOLS) as ToolName[];
  const places = new Map(names.map((name) => [name, findTool(name, [path.join(pluginDir, 'plugin.json'), ownPlace])]));
  const missing = names.filter((name) => places.get(name) === undefined);
  if (missing.length > 0) {
    const packages = missing.map((name) => `${name}@${TOOLS[name]}`).join(' ');
    throw new ComponentBuildError(
      `toolpost build needs ${missing.join(' and ')}, which ${missing.length > 1 ? 'are' : 'is'} not installed. In ${pluginDir} run:\n  npm install --save-dev ${packages}`,
    );
  }
  const [bundler, componentizer] = await Promise.all(names.map((name) => importTool(name, places.get(name) ?? '')));
  return { bundler: bundler as Bundler, componentizer: componentizer as Componentizer };
}

function findTool(name: ToolName, places: readonly string[]): string | undefined {
  for (const from of places) {
    try {
      return createRequire(from).resolve(name);
    } catch {
      // looked for in the next place
    }
  }
  return undefined;
}

async function importTool(name: ToolName, file: string): Promise<unknown> {
  try {
    return await import(pathToFileURL(file).href);
  } catch (error) {
    const reason = messageOf(error);
    throw new ComponentBuildError(
      `${name} in ${path.dirname(file)} cannot be loaded: ${reason}\nInstall it again: npm install --save-dev ${name}@${TOOLS[name]}`,
      { cause: error },
    );
  }
}
