export { type AcceptedTool, acceptTools } from './accept-tools.ts';
export { type AiSdkOptions, type AiSdkTool, type AiSdkTools, toolsForAiSdk } from './adapters/ai-sdk.ts';
export {
  type AnthropicTool,
  type AnthropicToolResult,
  type AnthropicTools,
  type AnthropicToolUse,
  toolsForAnthropic,
} from './adapters/anthropic.ts';
export { type LangChainOptions, type LangChainTools, toolsForLangChain } from './adapters/langchain.ts';
export {
  type OpenAiChatTool,
  type OpenAiFunctionCall,
  type OpenAiFunctionCallOutput,
  type OpenAiResponsesTool,
  type OpenAiToolCall,
  type OpenAiToolMessage,
  type OpenAiTools,
  toolsForOpenAiChat,
  toolsForOpenAiResponses,
} from './adapters/openai.ts';
export type { AdapterOptions } from './adapters/session-tools.ts';
export type { HistoryMessage } from './agent/history.ts';
export type { TurnResult } from './agent/run-turn.ts';
export type { TurnUsage } from './agent/turn-usage.ts';
export { type Agent, type AgentOptions, type AgentTurnOptions, createAgent } from './agent.ts';
export { type BuiltComponent, buildComponent } from './build-component/build-component.ts';
export { ComponentBuildError } from './build-component/component-build-error.ts';
export { type FindFilesOptions, findFiles } from './builtin/find-files.ts';
export * from './call-path/approver.ts';
export type { Ask, FormAnswer, FormRequest } from './call-path/ask-form.ts';
export type { CallOptions, CallTool } from './call-path/call-options.ts';
export type { ChannelService, ChannelServiceOptions } from './channels/channel-service.ts';
export { checkPluginFolder, checkPlugins, type PluginFolderCheck } from './check-plugin-folder.ts';
export type {
  ClosedGate,
  Diagnosis,
  GateName,
  MachineCheck,
  PluginDiagnosis,
  ToolDiagnosis,
} from './doctor/diagnosis.ts';
export { createEventSequence } from './event-sequence.ts';
export type { HookListing } from './hooks/run-hooks.ts';
export { createHost, type Host, type SessionOptions } from './host.ts';
export type { HostOptions } from './host-options.ts';
export { type ImportOptions, type ImportReport, importServers } from './import-servers/import-servers.ts';
export { lintTools, type ProviderVerdict, type ToolLint } from './lint-tools.ts';
export { forkSession } from './live-sessions/fork-session.ts';
export type {
  AnswerReceipt,
  FilledForm,
  FollowOptions,
  GivenAnswer,
  LiveSession,
  LiveTurnOptions,
  PendingApproval,
  PendingForm,
} from './live-sessions/live-session.ts';
export type { LiveSessions, LiveSessionsOptions, OpenOptions, SessionOwner } from './live-sessions/live-sessions.ts';
export type { McpHttpServer, ServeHttpOptions } from './mcp-server/http/serve-http.ts';
export { type McpMountOptions, openMcpMount } from './mcp-server/open-mcp-mount.ts';
export { serveMcpHttp } from './mcp-server/serve-mcp-http.ts';
export { type ServeStdioOptions, serveStdio as serveMcpStdio } from './mcp-server/serve-stdio.ts';
export { listProviders, type ProviderListing } from './models/providers.ts';
export { openApprovals } from './open-approvals.ts';
export { openChannels } from './open-channels.ts';
export { openLiveSessions, openSessionStore } from './open-sessions.ts';
export { openTrust } from './open-trust.ts';
export type { ContextAdditions } from './plugin-life/enrich-context.ts';
export type { PluginStatus } from './plugin-life/plugin-status.ts';
export type { PluginReload } from './plugin-life/reload-plugins.ts';
export { brokenText } from './plugin-life/warn-of-broken.ts';
export type { RegisteredTool } from './registry/registered-tool.ts';
export type { Snapshot } from './registry/snapshot.ts';
export { suggestNames } from './registry/suggest-names.ts';
export { toToolListing } from './registry/tool-listing.ts';
export {
  createServerApp,
  type Identity,
  type ServerApp,
  type ServerAppOptions,
  type ServerOptions,
  serve,
  type ToolpostServer,
} from './server/serve.ts';
export { createServerToken, tokenFile } from './server/server-token.ts';
export { deleteSession } from './sessions/delete-session.ts';
export { exportSession, toSessionListing } from './sessions/export-session.ts';
export { readLog } from './sessions/read-log.ts';
export type { EventPage, SessionFilter, SessionStore, SessionUsage, StoredSession } from './sessions/session-store.ts';
export { openHomeDir } from './settings/home-dir.ts';
export type { Settings } from './settings/settings-schema.ts';
export { type SignInParts, signInToServer } from './sign-in.ts';
export type { KeptApproval } from './trust/kept-approvals.ts';
export { HOST_VERSION } from './version.ts';
export { toWhyListing, type WhyReport } from './why.ts';
