import { CHANNEL_NAME, CHANNEL_NAME_IN_WORDS, type JsonObject, quoteValue } from '@toolpost/protocol';
import type { Tool } from '../define/define-tool.ts';
import type { AskAnswer } from '../tool-call-context.ts';
import type { Channel, ChannelAsk, ChannelReply, ChannelUpdate } from './channel.ts';
import { definePlugin, type Plugin, type PluginOptions } from './define-plugin.ts';

/** One setting of a channel, as a form shows it. */
export interface ChannelConfigItem {
  readonly key: string;
  readonly label?: string;
  readonly description?: string;
  /** The value of a `password` is masked in whatever the host writes. */
  readonly type?: 'toggle' | 'text' | 'password' | 'select' | 'number';
  readonly default_value?: unknown;
  readonly options?: readonly { readonly label?: string; readonly value: unknown }[];
}

/** A message front end: what it is called, and what it does with what goes through it. */
export interface ChannelOptions extends PluginOptions {
  readonly name: string;
  readonly configSchema?: readonly ChannelConfigItem[];
  /** What it declares at each start. `channel.declareTools` and `declarePrompt` replace it at any time. */
  readonly declares?: {
    readonly tools?: readonly Tool[];
    readonly prompt?: Readonly<Record<string, string>>;
  };
  /**
   * The user's configuration has come. Once it is done, the host says that the channel is served: wait in it until messages
   * are taken. A throw ends the process; the host starts it again later.
   */
  start(channel: Channel): void | Promise<void>;
  /**
   * Hands a reply on. Once it returns, the reply counts as arrived; a throw is tried again, at last once a minute, and what
   * a crash interrupts is delivered again.
   */
  onReply(reply: ChannelReply, channel: Channel): void | Promise<void>;
  onUpdate?(update: ChannelUpdate): void | Promise<void>;
  /** A tool of the chat drew something: its code. */
  onDrawn?(chatId: string, code: string): void | Promise<void>;
  /**
   * Asks the person behind a chat what a tool wants to know; the tool waits. Without it such a tool hears at once that
   * nobody can be asked. A throw is a `cancel`; values that do not fit are asked for again.
   */
  onAsk?(ask: ChannelAsk, channel: Channel): AskAnswer | Promise<AskAnswer>;
  /** Ends what `start` began. */
  stop?(): void | Promise<void>;
}

/** A plugin that is a channel. */
export interface ChannelPlugin extends Plugin {
  readonly channel: ChannelOptions;
}

/**
 * Defines a channel plugin; it may have tools, hooks and enrichers for all sessions too. A plugin of runtime `channel`
 * whose `entry` is a module exports it as default, any other one gives it to `serveChannel`.
 * @throws TypeError when a part of it is wrong.
 */
export function defineChannel(options: ChannelOptions): ChannelPlugin {
  checkOptions({ ...options });
  const { tools, hooks, enrichers, webUiAction } = options;
  const plugin = definePlugin({
    ...(tools && { tools }),
    ...(hooks && { hooks }),
    ...(enrichers && { enrichers }),
    ...(webUiAction && { webUiAction: webUiAction.bind(options) }),
    activate: async (context) => options.activate?.(context),
    async deactivate() {
      await options.stop?.();
      await options.deactivate?.();
    },
  });
  return { ...plugin, channel: options };
}

export function isChannelPlugin(plugin: Plugin): plugin is ChannelPlugin {
  return 'channel' in plugin;
}

function checkOptions({ name, start, onReply, onAsk = start }: JsonObject): void {
  if (typeof name !== 'string' || !CHANNEL_NAME.test(name))
    throw new TypeError(`name must be ${CHANNEL_NAME_IN_WORDS}, got ${quoteValue(name)}`);
  for (const [key, value] of Object.entries({ start, onReply, onAsk }))
    if (typeof value !== 'function') throw new TypeError(`${key} must be a function, got ${quoteValue(value)}`);
}
