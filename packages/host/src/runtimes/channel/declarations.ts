import {
  CHANNEL_DECLARATIONS,
  type ChannelWidget,
  type JsonObject,
  type Manifest,
  type Permission,
  type PromptPart,
  readChannelPrompt,
  readChannelTools,
  readWebUi,
  type ToolDefinition,
} from '@toolpost/protocol';

/** What a channel may declare; more is a mistake or an attack. */
const MAX_TOOLS = 1000;
const MAX_PARTS = 50;
const MAX_PART_CHARS = 16_000;
const MAX_WIDGETS = 100;

/** What one life of a channel has declared so far. */
export interface Declarations {
  readonly tools: readonly ToolDefinition[];
  readonly prompt: readonly PromptPart[];
  readonly widgets: readonly ChannelWidget[];
  /** What it declared and cannot have, one sentence each. */
  readonly problems: readonly string[];
  /** Whether it has said which tools it has. */
  readonly hasTools: boolean;
  /**
   * Takes a declaration in place of the earlier one of its kind. Returns whether the message is one.
   * @throws Error that says what is wrong with it or which permission is missing; what was declared before stays.
   */
  take(message: JsonObject): boolean;
}

export function createDeclarations(channel: string, manifest: Manifest): Declarations {
  let tools: readonly ToolDefinition[] = [];
  let prompt: readonly PromptPart[] = [];
  let widgets: readonly ChannelWidget[] = [];
  let problems: readonly string[] = [];
  let hasTools = false;

  const takers: Readonly<Record<string, (message: JsonObject) => void>> = {
    [CHANNEL_DECLARATIONS.tools](message) {
      hasTools = true;
      assertPermitted(manifest, 'tools.register', 'its channel_tools');
      const declared = readChannelTools(message, channel);
      assertAtMost(MAX_TOOLS, declared.tools.length, 'tools');
      tools = declared.tools;
      problems = declared.refused;
    },
    [CHANNEL_DECLARATIONS.prompt](message) {
      assertPermitted(manifest, 'context.enrich', 'its channel_prompt');
      const parts = readChannelPrompt(message);
      assertAtMost(MAX_PARTS, parts.length, 'parts of a prompt');
      for (const { key, text } of parts) assertAtMost(MAX_PART_CHARS, text.length, `characters in system_parts.${key}`);
      prompt = parts;
    },
    [CHANNEL_DECLARATIONS.webUi](message) {
      assertPermitted(manifest, 'ui.contribute', 'its web_ui');
      const declared = readWebUi(message);
      assertAtMost(MAX_WIDGETS, declared.length, 'widgets');
      widgets = declared;
    },
  };

  return {
    get tools() {
      return tools;
    },
    get prompt() {
      return prompt;
    },
    get widgets() {
      return widgets;
    },
    get problems() {
      return problems;
    },
    get hasTools() {
      return hasTools;
    },
    take(message) {
      const taker = typeof message.type === 'string' && Object.hasOwn(takers, message.type) && takers[message.type];
      if (!taker) return false;
      taker(message);
      return true;
    },
  };
}

/** What a plugin has declared or asked for, and may not. */
export class LacksPermission extends Error {
  override readonly name = 'LacksPermission';
  readonly permission: Permission;

  constructor(id: string, permission: Permission, what: string) {
    super(`plugin ${id}: ${what} needs the permission "${permission}" in its plugin.json`);
    this.permission = permission;
  }
}

/** @throws LacksPermission that names the plugin, the permission and what lacks it. */
export function assertPermitted({ id, permissions }: Manifest, permission: Permission, what: string): void {
  if (!permissions.includes(permission) && !permissions.includes('*')) throw new LacksPermission(id, permission, what);
}

function assertAtMost(max: number, found: number, what: string): void {
  if (found > max) throw new RangeError(`a channel may have at most ${max} ${what}, and these are ${found}`);
}
