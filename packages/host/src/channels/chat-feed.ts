import { CHANNEL_EVENTS, type JsonObject, type ToolpostEvent } from '@toolpost/protocol';
import type { ChannelPort } from '../runtimes/runtime.ts';

/** So often a chat is told how its turn goes; what comes in between is told together. */
const INTERVAL_MS = 100;
/** A plugin that is this far behind with reading, in characters, hears of progress later. */
const MAX_BACKLOG = 64 * 1024;
const MAX_LABEL_CHARS = 200;

/** What one chat hears of its turn while it runs. Nothing of it waits for a slow plugin: the next state replaces it. */
export interface ChatFeed {
  take(event: ToolpostEvent): void;
  /** The turn is over: what was not told is never told. */
  end(): void;
}

interface ToolState {
  readonly id: string;
  readonly name: string;
  label: string;
  status: 'generating' | 'running' | 'done' | 'error';
  summary?: string;
}

/** `port` is asked each time: the plugin may be started again in the middle of a turn. */
export function createChatFeed(chatId: string, port: () => ChannelPort | undefined): ChatFeed {
  const tools = new Map<string, ToolState>();
  const changed = { progress: false, text: false };
  let text = '';
  let reasoning = '';
  let isNewRound = false;
  let timer: NodeJS.Timeout | undefined;

  const tell = () => {
    timer = undefined;
    const to = port();
    if (!to) return;
    if (to.backlog > MAX_BACKLOG) return schedule();
    if (changed.progress) to.send({ type: CHANNEL_EVENTS.progress, chat_id: chatId, progress: progressOf(tools) });
    if (changed.text) {
      const progress = reasoning === '' ? {} : { progress: { reasoning_stream_content: reasoning } };
      to.send({ type: CHANNEL_EVENTS.stream, chat_id: chatId, content: text, ...progress });
    }
    changed.progress = false;
    changed.text = false;
  };
  const schedule = () => {
    timer ??= setTimeout(tell, INTERVAL_MS);
  };
  const say = (more: string) => {
    // What was said before calls is not part of the answer after them.
    text = isNewRound ? more : text + more;
    isNewRound = false;
    changed.text = true;
  };
  const setTool = (state: ToolState) => {
    tools.set(state.id, state);
    isNewRound = true;
    changed.progress = true;
  };

  return {
    take(event) {
      switch (event.type) {
        case 'text-delta':
          say(event.text);
          break;
        case 'reasoning-delta':
          reasoning += event.text;
          changed.text = true;
          break;
        case 'tool-input-delta':
          if (tools.has(event.toolCallId)) return;
          setTool({ id: event.toolCallId, name: event.name, label: event.name, status: 'generating' });
          break;
        case 'tool-call-start': {
          const { toolCallId: id, name, displayArg } = event;
          setTool({ id, name, label: labelOf(name, displayArg), status: 'running' });
          break;
        }
        case 'tool-progress': {
          const tool = tools.get(event.toolCallId);
          if (tool) setTool({ ...tool, summary: (event.message ?? String(event.progress)).slice(0, MAX_LABEL_CHARS) });
          break;
        }
        case 'tool-call-end': {
          const { toolCallId: id, name, result } = event;
          setTool({ id, name, label: tools.get(id)?.label ?? name, status: result.isError ? 'error' : 'done' });
          drawn(event.result.metadata?.ui_code);
          break;
        }
        default:
          return;
      }
      schedule();
    },
    end: () => clearTimeout(timer),
  };

  /** What a tool drew is no state that a later one replaces. */
  function drawn(code: unknown): void {
    const to = port();
    if (typeof code !== 'string' || !to) return;
    const metadata = { genui: 'true', channel: to.name, chat_id: chatId };
    to.send({ type: CHANNEL_EVENTS.genui, chat_id: chatId, content: code, metadata });
  }
}

function progressOf(tools: ReadonlyMap<string, ToolState>): JsonObject {
  return { tools: [...tools.values()] };
}

function labelOf(name: string, displayArg: string | undefined): string {
  return (displayArg === undefined ? name : `${name}: ${displayArg}`).slice(0, MAX_LABEL_CHARS).toWellFormed();
}
