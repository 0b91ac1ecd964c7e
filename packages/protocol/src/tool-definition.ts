import type { JsonSchema } from './json.ts';

/** MCP's hints about a tool. They are shown and usable in rules; by themselves they loosen nothing. */
export interface ToolAnnotations {
  title?: string;
  readOnlyHint?: boolean;
  destructiveHint?: boolean;
  idempotentHint?: boolean;
  openWorldHint?: boolean;
}

/** How a client shows the result (seed A: tools.UIDecl). An unknown `surface` means `inline`. */
export interface ToolUi {
  mode: string;
  param?: string;
  libs?: string[];
  surface?: string;
  /** The page by MCP Apps that shows it in MCP clients: a resource of the plugin, `ui://...`. Absent: the host's own. */
  resourceUri?: string;
  /** Who may call it, by MCP Apps: models, and the page of its own server. Absent means both. */
  visibility?: string[];
}

/**
 * What a model and a client know of a tool. `inputSchema` is always an object schema. `timeoutMs` bounds one
 * call and may only be shorter than the plugin's; `concurrency: "serial"` keeps a round's calls of it apart.
 */
export interface ToolDefinition {
  name: string;
  description: string;
  title?: string;
  inputSchema: JsonSchema;
  outputSchema?: JsonSchema;
  annotations?: ToolAnnotations;
  /** The argument whose value stands beside the tool's name in a client (seed B: primary_arg). */
  primaryArg?: string;
  ui?: ToolUi;
  /** The channels whose sessions see it; absent or empty means all. */
  channels?: string[];
  timeoutMs?: number;
  concurrency?: 'parallel' | 'serial';
  /** Its plugin's process can be asked what a call would do, before anybody has allowed it. */
  hasPreview?: boolean;
}
