import type { JsonObject, ToolDefinition } from '@toolpost/protocol';
import type { ToolPreviewContext } from '@toolpost/sdk';
import type { RuntimeCallContext } from '../runtimes/runtime.ts';
import type { Audience } from './audience.ts';
import type { PluginServices } from './plugin-services.ts';
import type { WithheldTool } from './withheld-tool.ts';

export type Scope = 'builtin' | 'global' | 'tenant' | 'channel';

/** What runs a tool. The registry and the call path know no more of a plugin than this. */
export interface ToolRunner {
  readonly services: PluginServices;
  /** Its tools run in the host's own process, where nothing can stop them. */
  readonly isInProcess?: boolean | undefined;
  readonly maxConcurrentCalls?: number | undefined;
  /** The tenant whose own process this is; absent where one serves all. */
  readonly tenant?: string | undefined;
  /** What runs the calls of this tenant, where a process serves one tenant only. */
  forTenant?(tenant: string): ToolRunner;
  /** What runs the calls of this tool, where it has a limit of its own. */
  forTool?(name: string): ToolRunner | undefined;
  readonly isReady: boolean;
  ready(): Promise<void>;
  /** Waits for the place that this call runs in; undefined when it needs none, or has it already. */
  acquire?(context: RuntimeCallContext): Promise<void> | undefined;
  execute(tool: ToolDefinition, input: JsonObject, context: RuntimeCallContext): unknown | Promise<unknown>;
  /** What a call would do, as text for the person who is asked about it; changes nothing. Absent where there are none. */
  preview?(tool: ToolDefinition, input: JsonObject, context: ToolPreviewContext): unknown | Promise<unknown>;
}

/** One tool of one plugin, in one scope. */
export interface RegisteredTool {
  readonly definition: ToolDefinition;
  readonly plugin: PluginEntry;
  readonly scope: Scope;
}

/** Everything one plugin registered, replaced as a whole: what a plugin adds goes with it. */
export interface PluginEntry {
  readonly id: string;
  /** Shown to people only. */
  readonly runtime: string;
  readonly scope: Scope;
  /** Place in the discovery order; within a scope the lower one wins. */
  readonly order: number;
  /** Whether the bundled examples' default (allowed without asking) applies. */
  readonly origin: string;
  /** Tools of MCP servers and of project plugins never shadow another plugin's. */
  readonly mayShadow: boolean;
  readonly tenants?: readonly string[];
  readonly users?: Audience['users'];
  readonly tools: readonly ToolDefinition[];
  /** Tools that a crash of their channel has taken away for a while: nobody has them, and nothing else gets their names. */
  readonly reserved?: readonly ToolDefinition[];
  /** Those that it lists and nobody gets, before a person has looked at them. */
  readonly withheld?: readonly WithheldTool[];
  readonly runner: ToolRunner;
  readonly timeoutMs: number;
  readonly maxTimeoutMs?: number;
  /** Set while the plugin is broken or disabled: its names stay taken, or are hidden, for this reason. */
  readonly broken?: string;
  readonly disabled?: boolean;
}
