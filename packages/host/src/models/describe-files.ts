import type {
  LanguageModelV4Message,
  LanguageModelV4ToolResultOutput,
  LanguageModelV4ToolResultPart,
} from '@ai-sdk/provider';

/** The message with a line in place of each file in a tool's result; the very same one when it has none. */
export function withoutFiles(message: LanguageModelV4Message, why: string): LanguageModelV4Message {
  if (message.role !== 'tool' || !message.content.some(hasFiles)) return message;
  const content = message.content.map((part) =>
    hasFiles(part) ? { ...part, output: asText(part.output, why) } : part,
  );
  return { ...message, content };
}

export type ToolPart = Extract<LanguageModelV4Message, { role: 'tool' }>['content'][number];
type ContentOutput = Extract<LanguageModelV4ToolResultOutput, { type: 'content' }>;

export function hasFiles(part: ToolPart): part is LanguageModelV4ToolResultPart & { output: ContentOutput } {
  return part.type === 'tool-result' && part.output.type === 'content';
}

function asText(output: ContentOutput, why: string): LanguageModelV4ToolResultOutput {
  const lines = output.value.map((item) => {
    if (item.type === 'text') return item.text;
    if (item.type === 'custom') return '';
    return `(A ${item.mediaType} file was returned here. ${why})`;
  });
  return { type: 'text', value: lines.join('\n') };
}
