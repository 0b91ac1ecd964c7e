import { isJsonObject, type JsonObject } from '@toolpost/protocol';
import type { SubmitAnswer } from '../renderers/blocks/form-block.tsx';
import type { RpcLink } from './rpc-link.ts';

/** The tool of our server that takes actions; clients list it for pages alone. */
const ACTION_TOOL = 'toolpost_ui_action';

export interface AppActions {
  /** What the client can do is known once it has answered. */
  learnHost(capabilities: JsonObject): void;
  /** Which call drew this stands in its result. */
  learnCall(result: JsonObject): void;
  /** Brings an action to the tool's plugin, else to the conversation; says what became of it. */
  act(action: { readonly action: string; readonly data: JsonObject }): Promise<SubmitAnswer>;
}

interface ActionParts {
  readonly link: RpcLink;
  readonly say: (text: string, isError: boolean) => void;
  readonly toolName: () => string | undefined;
  readonly onCode: (code: string) => void;
}

export function createActions({ link, say, toolName, onCode }: ActionParts): AppActions {
  let capabilities: JsonObject = {};
  let toolCallId = '';

  async function send(action: string, data: JsonObject): Promise<SubmitAnswer> {
    const tool = toolName();
    if (tool === undefined || capabilities.serverTools === undefined)
      return { text: 'The client around this page takes no actions.', isError: true };
    const result = await link.request('tools/call', {
      name: ACTION_TOOL,
      arguments: { tool, toolCallId, action, data },
    });
    const { isHandled, message, code } = isJsonObject(result.structuredContent) ? result.structuredContent : {};
    if (typeof code === 'string') onCode(code);
    if (isHandled === false && typeof message === 'string') return toConversation(message);
    return { text: textOf(result), isError: result.isError === true };
  }

  /** The client asks its user, and shows whose words they are. */
  async function toConversation(text: string): Promise<SubmitAnswer> {
    if (capabilities.message === undefined) return { text: 'The tool does not handle this.', isError: true };
    const { isError } = await link.request('ui/message', { role: 'user', content: [{ type: 'text', text }] });
    return isError === true
      ? { text: 'It was not sent to the conversation.', isError }
      : { text: 'Sent to the conversation.', isError: false };
  }

  return {
    learnHost(given) {
      capabilities = given;
    },
    learnCall({ _meta: meta }) {
      const id = isJsonObject(meta) ? meta['toolpost/callId'] : undefined;
      if (typeof id === 'string') toolCallId = id;
    },
    async act({ action, data }) {
      const answer = await send(action, data).catch((error: Error) => ({ text: error.message, isError: true }));
      say(answer.text, answer.isError);
      return answer;
    },
  };
}

export function textOf({ content }: JsonObject): string {
  const blocks = Array.isArray(content) ? content.filter(isJsonObject) : [];
  return blocks.flatMap(({ type, text }) => (type === 'text' && typeof text === 'string' ? [text] : [])).join('\n');
}
