import type { JsonObject } from './json.ts';

export interface TextContent {
  type: 'text';
  text: string;
  /** What clients are told of the text beside it; no model reads it. */
  _meta?: JsonObject;
}

/** One block of a result's content. Binary data is base64 in `data` or `blob`, never in a text block. */
export type ContentBlock =
  | TextContent
  | { type: 'image'; data: string; mimeType: string }
  | { type: 'audio'; data: string; mimeType: string }
  | { type: 'resource'; resource: { uri: string; mimeType?: string; text?: string; blob?: string } }
  | { type: 'resource_link'; uri: string; name: string; title?: string; description?: string; mimeType?: string };

/** The text blocks joined by LF: what a client without block support shows. */
export function textOf(content: readonly ContentBlock[]): string {
  if (content.length === 1 && content[0]?.type === 'text') return content[0].text;
  const texts: string[] = [];
  for (const block of content) if (block.type === 'text') texts.push(block.text);
  return texts.join('\n');
}
