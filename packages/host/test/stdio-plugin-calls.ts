import type { Manifest, ToolDefinition } from '@toolpost/protocol';
import { afterEach } from 'vitest';
import type { LoadedPlugin, RuntimeContext } from '../src/runtimes/runtime.ts';
import { createTestCallContext, type TestCallContext } from '../src/runtimes/test-contexts.ts';
import { type LoadedTestPlugin, loadTestPlugin } from './load-test-plugin.ts';

/** What a test left open. */
const open: LoadedPlugin[] = [];
export const never = new AbortController().signal;

/** Loads a plugin that ends with the test, at the latest. */
export async function load(
  id: string,
  changes?: Partial<Manifest>,
  given?: Partial<RuntimeContext>,
): Promise<LoadedTestPlugin> {
  const loaded = await loadTestPlugin(id, changes, given);
  open.push(loaded.plugin);
  return loaded;
}

const toolOf = ({ tools: [first] }: LoadedPlugin, name?: string): ToolDefinition => ({
  ...(first ?? { description: '', inputSchema: {} }),
  name: name ?? first?.name ?? '',
});

export function call(plugin: LoadedPlugin, input: Record<string, unknown> = {}, name?: string): Promise<unknown> {
  return callIn(plugin, createTestCallContext(input), name);
}

export async function callIn(plugin: LoadedPlugin, context: TestCallContext, name?: string): Promise<unknown> {
  return plugin.execute(toolOf(plugin, name), {}, context);
}

export const errorOf = (result: Promise<unknown>): Promise<Error> =>
  result.then(
    (value) => new Error(`it succeeded: ${JSON.stringify(value)}`),
    (error: Error) => error,
  );

/** Ends what a test left open. */
export function closeAfterEach(): void {
  afterEach(async () => {
    await Promise.all(open.splice(0).map((plugin) => plugin.close()));
  });
}
