import type { LanguageModelV4, LanguageModelV4Message } from '@ai-sdk/provider';
import { hasFiles, type ToolPart, withoutFiles } from './describe-files.ts';
import { mapCalls } from './map-calls.ts';

type UserMessage = Extract<LanguageModelV4Message, { role: 'user' }>;

const BEHIND = 'It stands in the next message of the user.';

/**
 * For the chat completions wire, whose tool messages hold text alone: there the AI SDK would write an image as base64 into
 * the text. The images of a round's results go into a message of the user behind it, where vision models of that wire take
 * them, and a line of each result says so.
 */
export function showImages(model: LanguageModelV4): LanguageModelV4 {
  return mapCalls(model, (options) => ({ ...options, prompt: withImagesBehind(options.prompt) }));
}

function withImagesBehind(prompt: readonly LanguageModelV4Message[]): LanguageModelV4Message[] {
  const shown: LanguageModelV4Message[] = [];
  let images: UserMessage['content'] = [];
  for (const message of prompt) {
    // Templates of local models want user and assistant to take turns, so two messages of the user are one.
    if (images.length > 0 && message.role === 'user') {
      shown.push({ ...message, content: [...images, ...message.content] });
      images = [];
      continue;
    }
    if (images.length > 0) shown.push({ role: 'user', content: images });
    images = message.role === 'tool' ? message.content.flatMap(imagesIn) : [];
    shown.push(withoutFiles(message, BEHIND));
  }
  if (images.length > 0) shown.push({ role: 'user', content: images });
  return shown;
}

/** What a tool gave must not be taken for the user's own words. */
function imagesIn(part: ToolPart): UserMessage['content'] {
  if (!hasFiles(part)) return [];
  const files = part.output.value.filter((item) => item.type === 'file');
  if (files.length === 0) return [];
  const whose = `(From the tool ${part.toolName}, call ${part.toolCallId}, and not from the user:)`;
  return [{ type: 'text', text: whose }, ...files];
}
