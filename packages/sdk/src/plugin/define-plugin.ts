import { isJsonObject, type JsonObject, quoteValue } from '@toolpost/protocol';
import { type Tool, toTool } from '../define/define-tool.ts';
import type { LogLevel } from '../tool-call-context.ts';
import { type ContentOptions, type OfferedContent, toContent } from './content.ts';
import { type EnricherHandler, type PluginEnricher, toEnricher } from './enrichers.ts';
import type { HookHandler, PluginHook } from './hooks.ts';
import { type BusHandler, type PluginSubscription, toSubscription } from './subscriptions.ts';
import type { UiActionHandler } from './ui-action.ts';

/** Marks a plugin that definePlugin made. Two copies of this package in one process recognise each other's. */
export const PLUGIN_BRAND: unique symbol = Symbol.for('toolpost.plugin');

type Awaitable<T> = T | Promise<T>;

export interface HookOptions {
  /** `*`, an exact tool name, `p*`, `*s` or `*mid*`; absent means every tool. */
  matcher?: string;
  /** A hook that throws denies the call instead of being skipped. */
  failClosed?: boolean;
}

/** What a plugin gets when it is activated (seed A: PluginContext). Registering works until `activate` returns. */
export interface PluginContext {
  readonly pluginId: string;
  /** The plugin's settings: manifest defaults overlaid by the user's configuration. */
  readonly settings: JsonObject;
  log(message: string, level?: LogLevel): void;
  /**
   * @throws Error when a permission is missing, a part of the tool is wrong, or its name is taken in this plugin.
   */
  registerTool(tool: Tool): void;
  /** Stops at the first that fails and keeps the earlier ones. */
  registerTools(...tools: readonly Tool[]): void;
  on(event: string, handler: HookHandler, options?: HookOptions): void;
  onPreToolUse(handler: HookHandler, options?: HookOptions): void;
  onPostToolUse(handler: HookHandler, options?: HookOptions): void;
  onPostToolUseFailure(handler: HookHandler, options?: HookOptions): void;
  /** Adds a text to the system prompt of each turn: lowest priority first, 150 when absent. */
  enrichContext(name: string, enrich: EnricherHandler, options?: { priority?: number }): void;
  /** Hears what the tenants' other plugins publish (permissions `bus.plugin` and `bus.read`). */
  subscribe(topic: string, handler: BusHandler): void;
  /**
   * Publishes outside of a call, also after `activate`. A process that serves one tenant can only do so for that one.
   * @throws Error as `ToolCallContext.publish`.
   */
  publish(topic: string, data: unknown, options?: { tenant?: string }): Promise<void>;
}

export interface PluginOptions extends ContentOptions {
  tools?: readonly Tool[];
  hooks?: readonly PluginHook[];
  enrichers?: readonly PluginEnricher[];
  subscriptions?: readonly PluginSubscription[];
  /** Handles what is done in interfaces that its tools draw (seed A: web_ui_action; permission `ui.contribute`). */
  webUiAction?: UiActionHandler;
  /** Registers more, opens what the tools need. A throw keeps the plugin from starting. */
  activate?(context: PluginContext): Awaitable<void>;
  /** Ends what `activate` started; nothing of the plugin may run afterwards. */
  deactivate?(): Awaitable<void>;
}

export interface Plugin {
  readonly [PLUGIN_BRAND]: true;
  readonly tools: readonly Tool[];
  readonly hooks: readonly PluginHook[];
  readonly enrichers: readonly PluginEnricher[];
  readonly subscriptions: readonly PluginSubscription[];
  readonly content: OfferedContent;
  readonly webUiAction?: UiActionHandler;
  activate?(context: PluginContext): Awaitable<void>;
  deactivate?(): Awaitable<void>;
}

/**
 * Defines a plugin: tools, hooks, enrichers and content that it always has, and what it does when it starts and stops.
 * @throws TypeError that names the tool, hook, enricher or field that is wrong.
 */
export function definePlugin(options: PluginOptions): Plugin {
  checkOptions(options);
  return {
    [PLUGIN_BRAND]: true,
    tools: requireList(options.tools, 'tools').map(toTool),
    hooks: requireList(options.hooks, 'hooks').map((hook, index) => toHook(hook, `hooks[${index}]`)),
    enrichers: requireList(options.enrichers, 'enrichers').map((one, index) => toEnricher(one, `enrichers[${index}]`)),
    subscriptions: requireList(options.subscriptions, 'subscriptions').map((one, index) =>
      toSubscription(one, `subscriptions[${index}]`),
    ),
    content: toContent(options),
    ...(options.webUiAction && { webUiAction: options.webUiAction.bind(options) }),
    ...(options.activate && { activate: options.activate.bind(options) }),
    ...(options.deactivate && { deactivate: options.deactivate.bind(options) }),
  };
}

function checkOptions(options: unknown): void {
  if (!isJsonObject(options)) throw new TypeError(`a plugin must be an object, got ${quoteValue(options)}`);
  for (const name of ['activate', 'deactivate', 'webUiAction']) {
    const value = options[name];
    if (value !== undefined && typeof value !== 'function') {
      throw new TypeError(`${name} must be a function, got ${quoteValue(value)}`);
    }
  }
}

/** Whether a value is a plugin that definePlugin made, in this copy of the package or another. */
export function isPlugin(value: unknown): value is Plugin {
  return isJsonObject(value) && Reflect.get(value, PLUGIN_BRAND) === true;
}

/**
 * Checks a hook that may come from plain JavaScript.
 * @throws TypeError that names the place.
 */
export function toHook(value: unknown, place: string): PluginHook {
  if (!isJsonObject(value)) throw new TypeError(`${place} must be an object, got ${quoteValue(value)}`);
  const { event, matcher, failClosed, handler } = value;
  if (typeof event !== 'string' || event === '') {
    throw new TypeError(`${place}.event must be non-empty text, got ${quoteValue(event)}`);
  }
  if (typeof handler !== 'function') {
    throw new TypeError(`${place}.handler must be a function, got ${quoteValue(handler)}`);
  }
  if (matcher !== undefined && typeof matcher !== 'string') {
    throw new TypeError(`${place}.matcher must be text, got ${quoteValue(matcher)}`);
  }
  return {
    event,
    ...(matcher !== undefined && { matcher }),
    ...(failClosed === true && { failClosed }),
    handler: (hookEvent, abortSignal) => handler.call(value, hookEvent, abortSignal),
  };
}

function requireList(value: unknown, place: string): readonly unknown[] {
  if (value === undefined) return [];
  if (Array.isArray(value)) return value;
  throw new TypeError(`${place} must be a list, got ${quoteValue(value)}`);
}
