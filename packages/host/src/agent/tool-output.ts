import type { LanguageModelV4ToolResultOutput } from '@ai-sdk/provider';
import type { CallRecord, ContentBlock } from '@toolpost/protocol';
import { checkImage } from './visible-image.ts';

type OutputItem = Extract<LanguageModelV4ToolResultOutput, { type: 'content' }>['value'][number];

/**
 * What the model gets of a call: the record's (capped) text, the images as content parts, and a line for each block
 * that has no place on the wire. Never metadata. An error keeps its mark, and with it only text: providers have no
 * place for both.
 */
export function toToolOutput(record: CallRecord): LanguageModelV4ToolResultOutput {
  const images: OutputItem[] = [];
  const notes: string[] = [];
  for (const block of record.content) {
    const image = block.type === 'image' && !record.isError ? toImagePart(block) : undefined;
    if (image) images.push(image);
    else if (block.type !== 'text') notes.push(describe(block));
  }
  const text = joined(record, notes);
  if (record.isError) return { type: 'error-text', value: text };
  if (images.length === 0) return { type: 'text', value: text };
  return { type: 'content', value: [{ type: 'text', text }, ...images] };
}

/** The same as text alone, for a wire that has no place for images in a result. */
export function textForModel(record: CallRecord): string {
  const notes = record.content.flatMap((block) => (block.type === 'text' ? [] : [describe(block)]));
  return joined(record, notes);
}

/** The output with a line of the host behind it. */
export function withNote(output: LanguageModelV4ToolResultOutput, note: string): LanguageModelV4ToolResultOutput {
  if (output.type === 'content') return { ...output, value: [...output.value, { type: 'text', text: note }] };
  if (output.type === 'text' || output.type === 'error-text') return { ...output, value: `${output.value}\n\n${note}` };
  return output;
}

function joined(record: CallRecord, notes: readonly string[]): string {
  const lines = [record.text, ...notes].filter((line) => line !== '');
  return lines.join('\n').toWellFormed() || fallbackText(record);
}

function fallbackText(record: CallRecord): string {
  if (record.structuredContent) return JSON.stringify(record.structuredContent);
  if (record.content.some((block) => block.type === 'image')) return 'The result is an image.';
  return record.isError ? `${record.name} failed and said nothing.` : `${record.name} gave no output.`;
}

function toImagePart(block: Extract<ContentBlock, { type: 'image' }>): OutputItem | undefined {
  const image = checkImage(block);
  if ('problem' in image) return undefined;
  return { type: 'file', mediaType: image.mediaType, data: { type: 'data', data: block.data } };
}

function describe(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'image': {
      const image = checkImage(block);
      return `(image, ${block.mimeType}, not shown here${'problem' in image ? `: ${image.problem}` : ''})`;
    }
    case 'audio':
      return `(audio, ${block.mimeType}, not shown here)`;
    case 'resource_link':
      return `${block.title ?? block.name}: ${block.uri}`;
    case 'resource':
      return block.resource.text ?? `(resource ${block.resource.uri}, not shown here)`;
  }
}
