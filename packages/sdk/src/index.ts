export type {
  BlockInput,
  ChartInput,
  ContentBlock,
  DiffInput,
  FormInput,
  HookAnswer,
  JsonObject,
  JsonSchema,
  MarkdownInput,
  TableInput,
  ToolDefinition,
  ToolParameter,
  ToolResult,
  TreeInput,
} from '@toolpost/protocol';
export * from './define/build-tool-def.ts';
export {
  defineTool,
  isTool,
  TOOL_BRAND,
  type Tool,
  type ToolOptions,
  type ToolOptionsWithDef,
  toTool,
  toToolDefinition,
} from './define/define-tool.ts';
export type {
  AiSdkSchema,
  CallerInput,
  ExecuteInput,
  InputOfParameters,
  InputSchema,
  PlainJsonSchema,
  StandardSchemaWithJson,
} from './define/input-types.ts';
export {
  parseToolInputArray,
  parseToolInputBoolean,
  parseToolInputNumber,
  parseToolInputObject,
  parseToolInputString,
} from './define/parse-tool-input.ts';
export * from './define/schema-builder.ts';
export * from './define/tool-def.ts';
export * from './define/tool-wrappers.ts';
export * from './plugin/activate-plugin.ts';
export type { Channel, ChannelAsk, ChannelReply, ChannelUpdate, InboundMessage, Receipt } from './plugin/channel.ts';
export type {
  Completer,
  ContentContext,
  ContentOptions,
  OfferedContent,
  PluginPrompt,
  PluginResource,
  PluginResourceTemplate,
  ResourceValue,
} from './plugin/content.ts';
export {
  type ChannelConfigItem,
  type ChannelOptions,
  type ChannelPlugin,
  defineChannel,
} from './plugin/define-channel.ts';
export {
  definePlugin,
  type HookOptions,
  isPlugin,
  PLUGIN_BRAND,
  type Plugin,
  type PluginContext,
  type PluginOptions,
} from './plugin/define-plugin.ts';
export {
  type EnricherHandler,
  type EnricherSession,
  type PluginEnricher,
  runEnricher,
  staticEnricher,
} from './plugin/enrichers.ts';
export { fileEnricher } from './plugin/file-enricher.ts';
export * from './plugin/hooks.ts';
export { readExports } from './plugin/read-exports.ts';
export {
  type BusContext,
  type BusHandler,
  type BusMessage,
  type PluginSubscription,
  runSubscriptions,
  topicsOf,
} from './plugin/subscriptions.ts';
export { runUiAction, type UiAction, type UiActionContext, type UiActionHandler } from './plugin/ui-action.ts';
export { resolveInRoots } from './resolve-in-roots.ts';
export * from './results/blocks.ts';
export * from './results/format-results.ts';
export { errorMessage, toToolResult } from './results/to-tool-result.ts';
export * from './results/tool-results.ts';
export type { ConnectionListener, PluginConnection } from './serve/plugin-connection.ts';
export { serveChannel } from './serve/serve-channel.ts';
export { type ServeConnectionOptions, serveConnection } from './serve/serve-connection.ts';
export { serveStdio } from './serve/serve-stdio.ts';
export type { StdioConnectionOptions } from './serve/stdio-connection.ts';
export * from './syscalls.ts';
export * from './tool-call-context.ts';
