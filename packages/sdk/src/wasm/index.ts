// The SDK inside a component: `toolpost build` puts it where a plugin imports `@toolpost/sdk`. It has all that needs no
// Node. The globals come first, since every other module may use them.
import './install-globals.ts';

export type {
  ContentBlock,
  HookAnswer,
  JsonObject,
  JsonSchema,
  ToolDefinition,
  ToolParameter,
  ToolResult,
} from '@toolpost/protocol';
export * from '../define/build-tool-def.ts';
export {
  defineTool,
  isTool,
  TOOL_BRAND,
  type Tool,
  type ToolOptions,
  type ToolOptionsWithDef,
  toTool,
  toToolDefinition,
} from '../define/define-tool.ts';
export {
  parseToolInputArray,
  parseToolInputBoolean,
  parseToolInputNumber,
  parseToolInputObject,
  parseToolInputString,
} from '../define/parse-tool-input.ts';
export * from '../define/schema-builder.ts';
export * from '../define/tool-def.ts';
export * from '../define/tool-wrappers.ts';
export { definePlugin, isPlugin, PLUGIN_BRAND, type Plugin } from '../plugin/define-plugin.ts';
export { staticEnricher } from '../plugin/enrichers.ts';
export * from '../results/blocks.ts';
export * from '../results/format-results.ts';
export { errorMessage, toToolResult } from '../results/to-tool-result.ts';
export * from '../results/tool-results.ts';
export * from '../tool-call-context.ts';
export { createGuest, type Guest, type GuestOptions } from './guest.ts';
export { syscalls } from './guest-syscalls.ts';
