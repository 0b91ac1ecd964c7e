import type { ToolDefinition } from '@toolpost/protocol';

/** A tool that its plugin lists and nobody gets, as its definition is not the one that was accepted. */
export interface WithheldTool {
  readonly name: string;
  /** In words, with the remedy. */
  readonly reason: string;
  readonly changed: { readonly name: string; readonly accepted: ToolDefinition; readonly now: ToolDefinition };
}
