import { type ContentBlock, textOf } from './content.ts';
import type { ToolResult } from './tool-result.ts';

/**
 * Writes the answer to a call as one line, without its LF. Version 1, which has no ids, carries text alone, and
 * beside it what the call draws; a result of one plain text goes as that text.
 */
export function encodeCallAnswer(id: unknown, { content, isError, structuredContent, metadata }: ToolResult): string {
  if (id === undefined)
    return JSON.stringify(
      isError ? { error: textOf(content) } : { result: textOf(content), ui_code: metadata?.ui_code },
    );
  const head = `{"id":${JSON.stringify(id)},"result":`;
  if (!isError && structuredContent === undefined && metadata === undefined && content.length === 1) {
    const text = plainTextOf(content[0]);
    if (text !== undefined) return `${head}${JSON.stringify(text)}}`;
  }
  return `${head}${JSON.stringify({ content, structuredContent, metadata, isError })}}`;
}

function plainTextOf(block: ContentBlock | undefined): string | undefined {
  if (block?.type !== 'text') return undefined;
  for (const key in block) if (key !== 'type' && key !== 'text') return undefined;
  return block.text;
}

/** The answer to a call whose result is one text. */
export interface TextAnswer {
  readonly id: string;
  readonly text: string;
}

const TEXT_ANSWER_HEAD = '{"id":"';
const TEXT_ANSWER_MIDDLE = '","result":"';

/**
 * Reads a line that encodeCallAnswer wrote for one plain text, without making an object of it: nearly all answers are
 * such lines. `undefined` for every other line, which is then to be parsed as a whole.
 */
export function readTextAnswer(line: string): TextAnswer | undefined {
  if (!line.startsWith(TEXT_ANSWER_HEAD) || !line.endsWith('"}')) return undefined;
  const idEnd = line.indexOf('"', TEXT_ANSWER_HEAD.length);
  if (!line.startsWith(TEXT_ANSWER_MIDDLE, idEnd)) return undefined;
  const id = line.slice(TEXT_ANSWER_HEAD.length, idEnd);
  if (id.includes('\\')) return undefined;
  try {
    // More keys behind the text make this no JSON.
    const text: unknown = JSON.parse(line.slice(idEnd + TEXT_ANSWER_MIDDLE.length - 1, -1));
    return typeof text === 'string' ? { id, text } : undefined;
  } catch {
    return undefined;
  }
}
