import { readTopicPattern } from './bus-topics.ts';
import { CHANNEL_NAME, CHANNEL_NAME_IN_WORDS, OWN_CHANNELS } from './channel-wire.ts';
import { isJsonObject, type JsonObject } from './json.ts';
import type { HookDeclaration } from './manifest.ts';
import { NO_CONTENT, type PluginContent, readPluginContent } from './plugin-content.ts';
import { quoteValue } from './quote-value.ts';
import type { ProtocolVersion } from './stdio-wire.ts';
import { readToolDeclaration } from './tool-declaration.ts';
import type { ToolDefinition } from './tool-definition.ts';
import { errorText, readList, textField } from './wire-fields.ts';

/** A text of a plugin in the system prompt. The lowest priority comes first; a plugin's own is 150. */
export interface EnricherDeclaration {
  name: string;
  priority?: number;
  /** The channels whose sessions get it; absent or empty means all. Elsewhere its plugin is not started for it. */
  channels?: string[];
}

/**
 * The channel that a plugin is. `acceptsReplies`: it says of each reply that it has it, with `accept_reply`. `answersAsks`:
 * it brings forms of tools to the people behind it, and their answers back.
 */
export interface ChannelProvider {
  name: string;
  configSchema?: unknown;
  acceptsReplies?: boolean;
  answersAsks?: boolean;
}

export interface ActivateAnswer {
  protocolVersion: ProtocolVersion;
  tools: ToolDefinition[];
  /** Why a declared tool is left out, one sentence each: a wrong one does not take the others with it. */
  refusedTools: string[];
  hooks: HookDeclaration[];
  enrichers: EnricherDeclaration[];
  content: PluginContent;
  /** Topics of the bus, as `readTopicPattern` reads them. */
  subscriptions: string[];
  /** It handles what is done in interfaces that its tools draw. */
  handlesUiActions: boolean;
  channelProvider?: ChannelProvider;
  /** The plugin refuses to start, for this reason; the lists are empty. */
  error?: string;
}

/**
 * Reads the answer to `activate`, in the seeds' spelling or in ours.
 * @throws TypeError that names the field when something other than a single tool is wrong.
 */
export function readActivateAnswer(message: JsonObject): ActivateAnswer {
  const protocolVersion = readVersion(message);
  const answer: ActivateAnswer = {
    protocolVersion,
    tools: [],
    refusedTools: [],
    hooks: [],
    enrichers: [],
    content: NO_CONTENT,
    subscriptions: [],
    handlesUiActions: (message.handlesUiActions ?? message.handles_ui_actions) === true,
  };
  if (message.error !== undefined && message.error !== null) {
    answer.error = errorText(message.error);
    return answer;
  }
  for (const declared of readList(message.tools, 'tools')) takeTool(declared, answer);
  answer.hooks = readList(message.hooks, 'hooks').map(readHookDeclaration);
  answer.enrichers = readList(message.enrichers, 'enrichers').map(readEnricherDeclaration);
  answer.content = readPluginContent(message);
  answer.subscriptions = readList(message.subscriptions, 'subscriptions').map((topic, index) =>
    readTopicPattern(topic, `subscriptions[${index}]`),
  );
  const provider = message.channelProvider ?? message.channel_provider;
  if (provider !== undefined && provider !== null) answer.channelProvider = readChannelProvider(provider);
  return answer;
}

function takeTool(declared: unknown, answer: ActivateAnswer): void {
  try {
    answer.tools.push(readToolDeclaration(declared));
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof RangeError)) throw error;
    answer.refusedTools.push(error.message);
  }
}

function readVersion(message: JsonObject): ProtocolVersion {
  const version = message.protocolVersion ?? 1;
  if (version === 1 || version === 2) return version;
  throw new TypeError(`protocolVersion must be 1 or 2, got ${quoteValue(version)}`);
}

function readHookDeclaration(value: unknown, index: number): HookDeclaration {
  const place = `hooks[${index}]`;
  const hook: HookDeclaration = { event: textField(value, 'event', place) };
  if (!isJsonObject(value)) return hook;
  const { matcher, failClosed = value.fail_closed } = value;
  if (typeof matcher === 'string') hook.matcher = matcher;
  else if (matcher !== undefined && matcher !== null) {
    throw new TypeError(`${place}.matcher must be text, got ${quoteValue(matcher)}`);
  }
  if (typeof failClosed === 'boolean') hook.failClosed = failClosed;
  else if (failClosed !== undefined && failClosed !== null) {
    throw new TypeError(`${place}.failClosed must be true or false, got ${quoteValue(failClosed)}`);
  }
  return hook;
}

function readEnricherDeclaration(value: unknown, index: number): EnricherDeclaration {
  const place = `enrichers[${index}]`;
  const name = textField(value, 'name', place);
  const { priority, channels } = isJsonObject(value) ? value : {};
  const declared: EnricherDeclaration = { name };
  if (typeof priority === 'number') declared.priority = priority;
  else if (priority !== undefined && priority !== null)
    throw new TypeError(`${place}.priority must be a number, got ${quoteValue(priority)}`);
  if (Array.isArray(channels) && channels.every((channel) => typeof channel === 'string')) declared.channels = channels;
  else if (channels !== undefined && channels !== null)
    throw new TypeError(`${place}.channels must be a list of texts, got ${quoteValue(channels)}`);
  return declared;
}

function readChannelProvider(value: unknown): NonNullable<ActivateAnswer['channelProvider']> {
  const name = textField(value, 'name', 'channelProvider');
  if (!CHANNEL_NAME.test(name))
    throw new TypeError(`channelProvider.name must be ${CHANNEL_NAME_IN_WORDS}, got ${quoteValue(name)}`);
  if (OWN_CHANNELS.includes(name.toLowerCase()))
    throw new TypeError(`channelProvider.name: "${name}" is a channel of Toolpost itself`);
  const given = isJsonObject(value) ? value : {};
  const configSchema = given.configSchema ?? given.config_schema ?? undefined;
  const acceptsReplies = (given.acceptsReplies ?? given.accepts_replies) === true;
  const answersAsks = (given.answersAsks ?? given.answers_asks) === true;
  return {
    name,
    ...(configSchema !== undefined && { configSchema }),
    ...(acceptsReplies && { acceptsReplies }),
    ...(answersAsks && { answersAsks }),
  };
}
