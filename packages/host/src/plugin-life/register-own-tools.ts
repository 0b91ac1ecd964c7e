import type { JsonObject, ToolDefinition } from '@toolpost/protocol';
import { type Tool, type ToolPreviewContext, toToolDefinition } from '@toolpost/sdk';
import { type BuiltinPlugin, createBuiltinPlugin } from '../builtin/create-builtin-plugin.ts';
import { bashDefinition, MAX_COMMAND_TIMEOUT_MS, MAX_COMMANDS_AT_ONCE } from '../builtin/tool-definitions.ts';
import type { HostCore } from '../host-core.ts';
import type { PluginServices } from '../registry/plugin-services.ts';
import type { PluginEntry, ToolRunner } from '../registry/registered-tool.ts';
import type { RuntimeCallContext } from '../runtimes/runtime.ts';

/** Above what a command of `bash` may ask for, so that its own limit is the one that ends it. */
const BUILTIN_TIMEOUT_MS = MAX_COMMAND_TIMEOUT_MS + 10_000;
const APP_TIMEOUT_MS = 30_000;

interface RunnableTool {
  readonly definition: ToolDefinition;
  execute(input: JsonObject, context: RuntimeCallContext): unknown;
  preview?(input: JsonObject, context: ToolPreviewContext): unknown;
}

/** The host's own tools: plugin `builtin`, whose names every other plugin may shadow. */
export function registerBuiltin(core: HostCore): Pick<BuiltinPlugin, 'recallFiles'> {
  const { homeDir, environment, settings, redact } = core;
  const plugin = createBuiltinPlugin({
    homeDir,
    hostEnvironment: environment,
    redactor: redact,
    withheld: (tool, tenant) => core.callPath.permissions.withheld(tool, tenant),
  });
  const { id, tools } = plugin;
  const entry = entryOf(core, id, tools);
  const commands: ToolRunner = { ...entry.runner, maxConcurrentCalls: MAX_COMMANDS_AT_ONCE };
  core.registry.setPlugin({
    ...entry,
    runner: { ...entry.runner, forTool: (name) => (name === bashDefinition.name ? commands : undefined) },
    scope: 'builtin',
    order: Number.MAX_SAFE_INTEGER,
    origin: 'builtin',
    timeoutMs: BUILTIN_TIMEOUT_MS,
    disabled: settings.plugins.disabled.includes(id),
  });
  return plugin;
}

/** Functions of the program that embeds the host, as plugin `app`. */
export function registerOwnTools(core: HostCore, tools: readonly Tool[]): void {
  if (tools.length === 0) return;
  const runnable = tools.map((tool) => ({
    definition: toToolDefinition(tool),
    execute: (input: JsonObject, context: RuntimeCallContext) => tool.execute(input, context),
    preview: (input: JsonObject, context: ToolPreviewContext) => tool.preview?.(input, context),
  }));
  const entry = entryOf(core, 'app', runnable);
  const refused = core.registry.setPlugin({
    ...entry,
    runner: { ...entry.runner, isInProcess: true },
    scope: 'global',
    order: -1,
    origin: 'flag',
    timeoutMs: APP_TIMEOUT_MS,
  });
  for (const { name, reason } of refused) core.warn(`the tool ${JSON.stringify(name)} is left out: ${reason}`);
}

function entryOf(core: HostCore, id: string, tools: readonly RunnableTool[]) {
  return {
    id,
    runtime: 'native',
    mayShadow: true,
    tools: tools.map(({ definition }) => definition),
    runner: createRunner(tools, ownServices(core, id)),
  } satisfies Partial<PluginEntry>;
}

function createRunner(tools: readonly RunnableTool[], services: PluginServices): ToolRunner {
  const byName = new Map(tools.map((tool) => [tool.definition.name, tool]));
  return {
    services,
    isReady: true,
    ready: async () => undefined,
    execute(definition, input, context) {
      const tool = byName.get(definition.name);
      if (!tool) throw new Error(`there is no tool ${definition.name} any more`);
      return tool.execute(input, context);
    },
    preview: (definition, input, context) => byName.get(definition.name)?.preview?.(input, context),
  };
}

function ownServices({ settings, stores }: HostCore, id: string): PluginServices {
  return {
    settings: settings.plugins.settings[id] ?? {},
    grants: { hosts: [], spawn: true },
    log: () => undefined,
    permits: () => true,
    storageFor: stores.of({ pluginId: id, permits: () => true, limits: settings.limits[id] }),
  };
}
