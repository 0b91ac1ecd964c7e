/** The moments at which the host calls hooks. */
export const HOOK_EVENTS = [
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'UserPromptSubmit',
  'AgentStop',
  'SessionStart',
  'SessionEnd',
  'PreCompact',
  'PostCompact',
] as const;
export type HookEventName = (typeof HOOK_EVENTS)[number];

/** Events of the earlier systems that cannot happen here, as there is nothing that they tell of. Plugins may declare them. */
export const SILENT_HOOK_EVENTS = ['SubAgentStart', 'SubAgentStop', 'CronFired', 'WebhookReceived'] as const;
