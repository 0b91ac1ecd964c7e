import type { LanguageModelV4, LanguageModelV4Message, LanguageModelV4ToolResultOutput } from '@ai-sdk/provider';
import { mapCalls } from './map-calls.ts';

/**
 * For the chat completions wire, whose tool messages hold text alone: there the AI SDK would write an image as
 * base64 into the text. A line that says what was left out goes in its place.
 */
export function describeFiles(model: LanguageModelV4): LanguageModelV4 {
  return mapCalls(model, (options) => ({ ...options, prompt: options.prompt.map(withoutFiles) }));
}

function withoutFiles(message: LanguageModelV4Message): LanguageModelV4Message {
  if (message.role !== 'tool') return message;
  const content = message.content.map((part) =>
    part.type === 'tool-result' && part.output.type === 'content' ? { ...part, output: asText(part.output) } : part,
  );
  return { ...message, content };
}

function asText(
  output: Extract<LanguageModelV4ToolResultOutput, { type: 'content' }>,
): LanguageModelV4ToolResultOutput {
  const lines = output.value.map((item) => {
    if (item.type === 'text') return item.text;
    if (item.type === 'custom') return '';
    return `(A ${item.mediaType} file was returned here. This model's wire carries text alone, so you cannot see it.)`;
  });
  return { type: 'text', value: lines.join('\n') };
}
