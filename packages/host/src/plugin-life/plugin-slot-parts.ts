import type { PluginContent, ToolDefinition } from '@toolpost/protocol';
import type { PluginServices } from '../registry/plugin-services.ts';
import type { WithheldTool } from '../registry/withheld-tool.ts';
import type {
  DiscoveredPlugin,
  EnricherOffer,
  HookOffer,
  OfferedChannel,
  Runtime,
  RuntimeContext,
} from '../runtimes/runtime.ts';
import type { PluginNews } from './plugin-news.ts';
import type { PluginSlot } from './plugin-slot.ts';

/** Where the knowledge of a plugin's tools comes from, weakest first. */
export type Knowledge = 'none' | 'declared' | 'cached' | 'own';

export interface PluginOffer {
  readonly tools: readonly ToolDefinition[];
  readonly hooks: readonly HookOffer[];
  readonly enrichers: readonly EnricherOffer[];
  readonly content: PluginContent;
  readonly channel?: OfferedChannel | undefined;
  /** Topics of the bus that it hears of. */
  readonly subscriptions?: readonly string[] | undefined;
  /** It says that it handles what is done in its interfaces. */
  readonly handlesUiActions?: boolean | undefined;
}

export interface PluginSlotParts {
  readonly plugin: DiscoveredPlugin;
  readonly runtime: Runtime;
  readonly context: Omit<RuntimeContext, 'onStateChange' | 'closing'>;
  readonly services: PluginServices;
  /** What is known before it runs. */
  readonly known: PluginOffer & { knowledge: Knowledge };
  /** Tools that its last life listed and nobody gets. */
  readonly withheld: readonly WithheldTool[];
  readonly isDisabled: boolean;
  /** The tenant whose process it is, where one may not serve all: by the channel that it offers, once that is known. */
  readonly tenantFor?: (channel: string | undefined) => string;
  /** Ends what runs when nothing was asked of it for so long; the next call starts it again. Never when absent. */
  readonly idleMs?: number;
  /** Gives each further tenant a process of its own; absent where one serves all. */
  readonly forTenants?: (parts: PluginSlotParts, tenant: string) => PluginSlot;
  readonly redact: (text: string) => string;
  /** Resolves when the plugin that this one takes the place of has ended. */
  readonly formerEnded?: Promise<unknown>;
  /** Called whenever its offer or its state changed. */
  readonly onChange: (slot: PluginSlot) => void;
  /** Hears when it does not work as it did, and when it does again. */
  readonly onNews?: (slot: PluginSlot, news: PluginNews) => void;
}
