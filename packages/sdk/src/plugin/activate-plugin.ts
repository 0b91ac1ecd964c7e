import { type JsonObject, type Permission, quoteValue } from '@toolpost/protocol';
import { type Tool, toTool } from '../define/define-tool.ts';
import type { LogLevel } from '../tool-call-context.ts';
import { type HookOptions, type Plugin, type PluginContext, toHook } from './define-plugin.ts';
import type { HookHandler, PluginHook } from './hooks.ts';

export interface ActivateOptions {
  pluginId: string;
  settings?: JsonObject;
  /** What the manifest grants; absent means everything. */
  permissions?: readonly (Permission | '*')[];
  log?(message: string, level?: LogLevel): void;
}

/** A plugin that was activated, with everything that it registered. */
export interface ActivePlugin {
  readonly tools: readonly Tool[];
  readonly hooks: readonly PluginHook[];
  /** Ends the plugin, once; a second call waits for the first. */
  deactivate(): Promise<void>;
}

/**
 * Activates a plugin: takes its tools and hooks, then runs `activate`, which may register more.
 * @throws Error when it throws, lacks a permission or gives a tool's name twice; `deactivate` was run then.
 */
export async function activatePlugin(plugin: Plugin, options: ActivateOptions): Promise<ActivePlugin> {
  const registrations = createRegistrations(options);
  const deactivate = once(async () => plugin.deactivate?.());
  try {
    for (const tool of plugin.tools) registrations.context.registerTool(tool);
    for (const hook of plugin.hooks) registrations.addHook(hook);
    await plugin.activate?.(registrations.context);
  } catch (error) {
    await deactivate().catch(() => {});
    throw error;
  } finally {
    registrations.close();
  }
  return { tools: registrations.tools, hooks: registrations.hooks, deactivate };
}

interface Registrations {
  context: PluginContext;
  tools: readonly Tool[];
  hooks: readonly PluginHook[];
  addHook(hook: PluginHook): void;
  close(): void;
}

function createRegistrations({
  pluginId,
  settings = {},
  permissions = ['*'],
  log = () => {},
}: ActivateOptions): Registrations {
  const tools: Tool[] = [];
  const hooks: PluginHook[] = [];
  let isOpen = true;

  const require = (permission: Permission, action: string): void => {
    if (!isOpen) throw new Error(`plugin "${pluginId}" can ${action} only while it is activated`);
    if (permissions.includes('*') || permissions.includes(permission)) return;
    throw new Error(
      `plugin "${pluginId}" lacks the permission "${permission}" to ${action}: add it to "permissions" in its plugin.json`,
    );
  };
  const registerTool = (value: Tool): void => {
    const tool = toTool(value);
    require('tools.register', `register the tool ${quoteValue(tool.name)}`);
    if (tools.some(({ name }) => name === tool.name)) {
      throw new Error(`plugin "${pluginId}" registers the tool ${quoteValue(tool.name)} twice`);
    }
    tools.push(tool);
  };
  const addHook = (hook: PluginHook): void => {
    require('hooks.subscribe', `subscribe to ${hook.event}`);
    hooks.push(hook);
  };
  const on = (event: string, handler: HookHandler, options: HookOptions = {}): void =>
    addHook(toHook({ ...options, event, handler }, `the ${event} hook`));

  const context: PluginContext = {
    pluginId,
    settings,
    log,
    registerTool,
    registerTools: (...all) => all.forEach(registerTool),
    on,
    onPreToolUse: (handler, hookOptions) => on('PreToolUse', handler, hookOptions),
    onPostToolUse: (handler, hookOptions) => on('PostToolUse', handler, hookOptions),
    onPostToolUseFailure: (handler, hookOptions) => on('PostToolUseFailure', handler, hookOptions),
  };
  return {
    context,
    tools,
    hooks,
    addHook,
    close: () => {
      isOpen = false;
    },
  };
}

function once(run: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => {
    running ??= run();
    return running;
  };
}
