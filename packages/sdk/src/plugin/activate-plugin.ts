import { type JsonObject, type Permission, quoteValue } from '@toolpost/protocol';
import { type Tool, toTool } from '../define/define-tool.ts';
import type { LogLevel } from '../tool-call-context.ts';
import { type OfferedContent, toContent } from './content.ts';
import { type HookOptions, type Plugin, type PluginContext, toHook } from './define-plugin.ts';
import { type PluginEnricher, toEnricher } from './enrichers.ts';
import type { HookHandler, PluginHook } from './hooks.ts';
import { type PluginSubscription, toSubscription } from './subscriptions.ts';
import type { UiActionHandler } from './ui-action.ts';

export interface ActivateOptions {
  pluginId: string;
  settings?: JsonObject;
  /** What the manifest grants; absent means everything. */
  permissions?: readonly (Permission | '*')[];
  /** It has no plugin.json, and registers tools alone. */
  isSingleFile?: boolean;
  log?(message: string, level?: LogLevel): void;
  /** Absent where there is no bus. */
  publish?(topic: string, data: unknown, options: { tenant?: string }): Promise<void>;
}

/** A plugin that was activated, with everything that it registered. */
export interface ActivePlugin {
  readonly tools: readonly Tool[];
  readonly hooks: readonly PluginHook[];
  readonly enrichers: readonly PluginEnricher[];
  readonly subscriptions: readonly PluginSubscription[];
  readonly content: OfferedContent;
  readonly webUiAction: UiActionHandler | undefined;
  /** Ends the plugin, once; a second call waits for the first. */
  deactivate(): Promise<void>;
}

/**
 * Activates a plugin: takes its tools, hooks and enrichers, then runs `activate`, which may register more.
 * @throws Error when it throws, lacks a permission or gives a tool's name twice; `deactivate` was run then.
 */
export async function activatePlugin(plugin: Plugin, options: ActivateOptions): Promise<ActivePlugin> {
  const registrations = createRegistrations(options);
  const deactivate = once(async () => plugin.deactivate?.());
  try {
    checkPermissions(plugin, options);
    if (plugin.webUiAction) registrations.require('ui.contribute', 'handle actions of its interfaces');
    for (const tool of plugin.tools) registrations.context.registerTool(tool);
    for (const hook of plugin.hooks) registrations.addHook(hook);
    // Another copy of this package that made the plugin may be older than they are.
    for (const enricher of plugin.enrichers ?? []) registrations.addEnricher(enricher);
    for (const subscription of plugin.subscriptions ?? []) registrations.addSubscription(subscription);
    await plugin.activate?.(registrations.context);
  } catch (error) {
    await deactivate().catch(() => {});
    throw error;
  } finally {
    registrations.close();
  }
  const { tools, hooks, enrichers, subscriptions } = registrations;
  // Another copy of this package that made the plugin may be older than content is.
  const { content = toContent({}), webUiAction } = plugin;
  return { tools, hooks, enrichers, subscriptions, content, webUiAction, deactivate };
}

/** Names all that is missing at once: whoever adds the first permission alone would learn of the next only then. */
function checkPermissions(
  { tools, hooks, enrichers = [], subscriptions = [], webUiAction }: Plugin,
  { pluginId, permissions = ['*'], isSingleFile = false }: ActivateOptions,
): void {
  const needs: [Permission, string, number][] = [
    ['tools.register', 'register its tools', tools.length],
    ['hooks.subscribe', 'subscribe its hooks', hooks.length],
    ['context.enrich', 'enrich the context', enrichers.length],
    ['ui.contribute', 'handle actions of its interfaces', webUiAction ? 1 : 0],
    ['bus.plugin', 'use the bus', subscriptions.length],
    ['bus.read', 'subscribe to the bus', subscriptions.length],
  ];
  const missing = needs
    .filter(([permission, , count]) => count > 0 && !permissions.includes('*') && !permissions.includes(permission))
    .map(([permission, action]) => `the permission "${permission}" to ${action}`);
  if (missing.length < 2) return;
  throw new Error(`plugin "${pluginId}" lacks ${missing.join(' and ')}: ${remedy(isSingleFile, 'them')}`);
}

function remedy(isSingleFile: boolean, what: string): string {
  return isSingleFile
    ? `a single file registers tools alone; make it a plugin folder whose plugin.json has ${what} in "permissions"`
    : `add ${what} to "permissions" in its plugin.json`;
}

interface Registrations {
  context: PluginContext;
  tools: readonly Tool[];
  hooks: readonly PluginHook[];
  enrichers: readonly PluginEnricher[];
  subscriptions: readonly PluginSubscription[];
  /** @throws Error when the permission is missing, and says for what. */
  require(permission: Permission, action: string): void;
  addHook(hook: PluginHook): void;
  addEnricher(enricher: PluginEnricher): void;
  addSubscription(subscription: PluginSubscription): void;
  close(): void;
}

function createRegistrations({
  pluginId,
  settings = {},
  permissions = ['*'],
  isSingleFile = false,
  log = () => {},
  publish,
}: ActivateOptions): Registrations {
  const tools: Tool[] = [];
  const hooks: PluginHook[] = [];
  const enrichers: PluginEnricher[] = [];
  const subscriptions: PluginSubscription[] = [];
  let isOpen = true;

  const require = (permission: Permission, action: string): void => {
    if (!isOpen) throw new Error(`plugin "${pluginId}" can ${action} only while it is activated`);
    if (permissions.includes('*') || permissions.includes(permission)) return;
    throw new Error(
      `plugin "${pluginId}" lacks the permission "${permission}" to ${action}: ${remedy(isSingleFile, 'it')}`,
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

  const addEnricher = (enricher: PluginEnricher): void => {
    require('context.enrich', `enrich the context with ${quoteValue(enricher.name)}`);
    if (enrichers.some(({ name }) => name === enricher.name)) {
      throw new Error(`plugin "${pluginId}" registers the enricher ${quoteValue(enricher.name)} twice`);
    }
    enrichers.push(enricher);
  };

  const addSubscription = (subscription: PluginSubscription): void => {
    const action = `subscribe to ${quoteValue(subscription.topic)}`;
    require('bus.plugin', action);
    require('bus.read', action);
    subscriptions.push(subscription);
  };

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
    enrichContext: (name, enrich, enricherOptions = {}) =>
      addEnricher(toEnricher({ ...enricherOptions, name, enrich }, 'the enricher')),
    subscribe: (topic, handler) => addSubscription(toSubscription({ topic, handler }, 'the subscription')),
    async publish(topic, data, publishOptions = {}) {
      if (!publish) throw new Error(`plugin "${pluginId}" cannot publish: there is no bus here`);
      await publish(topic, data, publishOptions);
    },
  };
  return {
    context,
    tools,
    hooks,
    enrichers,
    require,
    addHook,
    subscriptions,
    addEnricher,
    addSubscription,
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
