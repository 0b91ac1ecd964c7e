import type { LanguageModelV4ToolResultOutput } from '@ai-sdk/provider';
import type { CallRecord, ContentBlock } from '@toolpost/protocol';

type OutputItem = Extract<LanguageModelV4ToolResultOutput, { type: 'content' }>['value'][number];

/**
 * What the model gets of a call: the record's (capped) text, the images as content parts, and a line for each block
 * that has no place on the wire. Never metadata. An error keeps its mark, and with it only text: providers have no
 * place for both.
 */
export function toToolOutput(record: CallRecord): LanguageModelV4ToolResultOutput {
  const others = record.content.filter((block) => block.type !== 'text');
  const images = record.isError ? [] : others.filter((block) => block.type === 'image');
  const notes = others.filter((block) => record.isError || block.type !== 'image').map(describe);
  const text =
    [record.text, ...notes]
      .filter((line) => line !== '')
      .join('\n')
      .toWellFormed() || fallbackText(record);
  if (record.isError) return { type: 'error-text', value: text };
  if (images.length === 0) return { type: 'text', value: text };
  return { type: 'content', value: [{ type: 'text', text }, ...images.map(toImagePart)] };
}

function fallbackText(record: CallRecord): string {
  if (record.structuredContent) return JSON.stringify(record.structuredContent);
  if (record.content.some((block) => block.type === 'image')) return 'The result is an image.';
  return record.isError ? `${record.name} failed and said nothing.` : `${record.name} gave no output.`;
}

function toImagePart({ data, mimeType }: Extract<ContentBlock, { type: 'image' }>): OutputItem {
  return { type: 'file', mediaType: mimeType, data: { type: 'data', data } };
}

function describe(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'image':
    case 'audio':
      return `(${block.type}, ${block.mimeType}, not shown here)`;
    case 'resource_link':
      return `${block.title ?? block.name}: ${block.uri}`;
    case 'resource':
      return block.resource.text ?? `(resource ${block.resource.uri}, not shown here)`;
  }
}
