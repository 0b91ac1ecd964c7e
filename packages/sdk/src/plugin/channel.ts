import type { ChannelWidget, JsonObject } from '@toolpost/protocol';
import type { Tool } from '../define/define-tool.ts';
import type { LogLevel } from '../tool-call-context.ts';

/** A message that somebody wrote, on its way to the agent. */
export interface InboundMessage {
  /** The conversation: messages of one chat are answered one after the other. */
  readonly chatId: string;
  readonly content: string;
  /** Who writes. A chat has one sender, unless it is a group. */
  readonly senderId?: string;
  readonly senderName?: string;
  readonly isGroup?: boolean;
  /** Names the message in its chat: sent again, also after a crash, it is answered once. */
  readonly requestId?: string;
}

/** The host has the message: from here on it is answered, whatever ends meanwhile. */
export interface Receipt {
  readonly messageId: string;
  /** It was sent before, under this request id. */
  readonly isDuplicate: boolean;
  /** The reply that the earlier one got, where there is one. */
  readonly reply?: { readonly text: string; readonly isError: boolean };
}

/** What the agent answered. */
export interface ChannelReply {
  readonly chatId: string;
  readonly text: string;
  /** The same in each delivery. */
  readonly replyId: string;
  /** That of the message; "" when it had none. */
  readonly requestId: string;
  /** How the turn ended: `completed`, `cancelled`, `max-steps`, `denied`, `loop` or `error`. */
  readonly reason: string;
  readonly isError: boolean;
}

/** How far a turn is. Each update replaces the one before; under load some are left out. */
export interface ChannelUpdate {
  readonly chatId: string;
  /** The reply so far. */
  readonly text?: string;
  readonly reasoning?: string;
  readonly tools?: readonly JsonObject[];
}

/** What a tool wants to know of the person behind a chat, while it runs. */
export interface ChannelAsk {
  readonly chatId: string;
  /** The same when it is asked again, as after a crash of the plugin. */
  readonly askId: string;
  readonly message: string;
  /** JSON Schema of the values. */
  readonly schema: JsonObject;
  /** Who asks. */
  readonly plugin: string;
  readonly tool: string;
  /** What of the last answer did not fit the schema. */
  readonly problem?: string;
  /** Aborts when nobody waits for an answer any more. */
  readonly abortSignal: AbortSignal;
}

/** A channel that is in use, as its plugin sees the host. */
export interface Channel {
  readonly name: string;
  /** What the user configured under `channels.<name>`, over the defaults. */
  readonly config: JsonObject;
  /** False where the plugin runs only for its tools: then no message is taken, and nothing should listen for any. */
  readonly isServing: boolean;
  /** Resolves when the host has the message for good. @throws Error with the host's text: try again, or say it to the sender. */
  sendInbound(message: InboundMessage): Promise<Receipt>;
  /** The last messages of a chat, `user` and `assistant`. Needs the permission `rpc`, as the next two do. */
  getHistory(chatId: string, limit?: number): Promise<readonly { role: string; content: string }[]>;
  listSessions(limit?: number): Promise<readonly JsonObject[]>;
  /** Works on one of the directories that the user granted the channel. */
  setCwd(chatId: string, cwd: string): Promise<void>;
  /** Ends the turn of a chat; returns how many ran or waited. */
  cancelTurn(chatId: string): Promise<number>;
  /** Each replaces what was declared before. A tool without channels is for this one. */
  declareTools(tools: readonly Tool[]): void;
  declarePrompt(parts: Readonly<Record<string, string>>): void;
  declareWidgets(widgets: readonly ChannelWidget[]): void;
  log(message: string, level?: LogLevel): void;
}
