import { type ContentBlock, isJsonObject, type JsonObject, quoteValue, type ToolResult } from '@toolpost/protocol';
import { InvalidResult, toPlainJson, toWellFormed } from './plain-json.ts';
import { isBlockType, readContentBlock } from './read-content-block.ts';
import { newToolError } from './tool-results.ts';

const RESULT_KEYS = new Set([
  'content',
  'structuredContent',
  'structured_content',
  'metadata',
  'isError',
  'is_error',
  '_meta',
  'tool_call_id',
  'uiCode',
  'ui_code',
]);

/**
 * Settles whatever a tool gave back into a result. Text is text; `undefined` and `null` are empty text; a list of
 * blocks and `{content, structuredContent?, metadata?, isError?}` are results (`is_error` too, `content` may be text, and
 * `ui_code`, what the call draws, goes into the metadata);
 * any other value is its JSON text, and a plain object also `structuredContent`. What cannot be carried becomes an
 * error result that says so. Never throws; a clean result is returned as it is.
 */
export function toToolResult(value: unknown): ToolResult {
  if (typeof value === 'string') return textResult(toWellFormed(value));
  if (value === undefined || value === null) return textResult('');
  try {
    if (value instanceof Error) return newToolError(toWellFormed(errorMessage(value)));
    if (Array.isArray(value)) return isBlockList(value) ? blockResult(value) : jsonResult(value);
    if (typeof value === 'object') return objectResult(value as JsonObject);
    return jsonResult(value);
  } catch (error) {
    return newToolError(`the tool returned an invalid result: ${errorMessage(error)}`);
  }
}

/** The text of whatever was thrown; never empty. */
export function errorMessage(error: unknown): string {
  if (error instanceof Error) return error.message === '' ? error.name : error.message;
  if (typeof error === 'string' && error !== '') return error;
  if (isJsonObject(error) && typeof error.message === 'string' && error.message !== '') return error.message;
  return `the tool threw ${quoteValue(error)}`;
}

function textResult(text: string): ToolResult {
  return { content: [{ type: 'text', text }], isError: false };
}

function blockResult(blocks: readonly unknown[]): ToolResult {
  return { content: readBlocks(blocks), isError: false };
}

/** Any JSON value that is not a result. */
function jsonResult(value: unknown): ToolResult {
  if (typeof value === 'number') return textResult(String(value));
  if (typeof value === 'object' && value !== null && Symbol.asyncIterator in value) {
    throw new InvalidResult('it is an async iterator: collect it, or stream with context.output');
  }
  const plain = toPlainJson(value, 'the value');
  const result = textResult(JSON.stringify(plain));
  if (isJsonObject(plain) && isPlainObject(value)) result.structuredContent = plain;
  return result;
}

function objectResult(fields: JsonObject): ToolResult {
  if (kindOfObject(fields) === 'json') return jsonResult(fields);
  const isError = readFlag(fields.isError ?? fields.is_error ?? false);
  const structured = readObject(fields.structuredContent ?? fields.structured_content, 'structuredContent');
  const metadata = withUiCode(readObject(fields.metadata, 'metadata'), fields.ui_code ?? fields.uiCode);
  const content = readContent(fields.content, structured);
  if (isAlready(fields, { content, isError, structuredContent: structured, metadata })) return fields;
  return {
    content,
    ...(structured && { structuredContent: structured }),
    isError,
    ...(metadata && { metadata }),
  };
}

/** Data may have a field `content` too: it is a result only when nothing else speaks against it. */
function kindOfObject(fields: JsonObject): 'result' | 'json' {
  const { content } = fields;
  if (Array.isArray(content) && isBlockList(content)) return 'result';
  let says = content !== undefined;
  for (const key in fields) {
    if (!RESULT_KEYS.has(key)) return 'json';
    if (key === 'isError' || key === 'is_error' || key === 'structuredContent') says = true;
    if (key === 'uiCode' || key === 'ui_code') says = true;
  }
  return says ? 'result' : 'json';
}

function readContent(content: unknown, structured: JsonObject | undefined): ContentBlock[] {
  if (typeof content === 'string') return [{ type: 'text', text: toWellFormed(content) }];
  if (Array.isArray(content)) return readBlocks(content);
  if (content !== undefined && content !== null) {
    throw new InvalidResult(`content must be text or a list of blocks, got ${quoteValue(content)}`);
  }
  return [{ type: 'text', text: structured ? JSON.stringify(structured) : '' }];
}

/** The list itself when every block in it can stay as it is. */
function readBlocks(blocks: readonly unknown[]): ContentBlock[] {
  const read: ContentBlock[] = [];
  let isClean = true;
  for (const [index, block] of blocks.entries()) {
    const clean = readContentBlock(block, `content[${index}]`);
    isClean &&= clean === block;
    read.push(clean);
  }
  return isClean ? (blocks as ContentBlock[]) : read;
}

function readFlag(flag: unknown): boolean {
  if (typeof flag === 'boolean') return flag;
  throw new InvalidResult(`isError must be true or false, got ${quoteValue(flag)}`);
}

function readObject(value: unknown, place: string): JsonObject | undefined {
  if (value === undefined || value === null) return undefined;
  if (!isJsonObject(value)) throw new InvalidResult(`${place} must be an object, got ${quoteValue(value)}`);
  const plain = toPlainJson(value, place);
  if (isJsonObject(plain)) return plain;
  throw new InvalidResult(`${place} must be an object, got ${quoteValue(plain)}`);
}

function withUiCode(metadata: JsonObject | undefined, uiCode: unknown): JsonObject | undefined {
  if (uiCode === undefined || uiCode === null) return metadata;
  if (typeof uiCode !== 'string') throw new InvalidResult(`ui_code must be text, got ${quoteValue(uiCode)}`);
  return { ...metadata, ui_code: toWellFormed(uiCode) };
}

function isBlockList(list: readonly unknown[]): boolean {
  const [first] = list;
  return isJsonObject(first) && isBlockType(first.type);
}

interface ReadResult {
  content: ContentBlock[];
  isError: boolean;
  structuredContent: JsonObject | undefined;
  metadata: JsonObject | undefined;
}

function isAlready(fields: JsonObject, read: ReadResult): fields is JsonObject & ToolResult {
  for (const key in fields) {
    if (key !== 'content' && key !== 'isError' && key !== 'structuredContent' && key !== 'metadata') return false;
  }
  return (
    fields.content === read.content &&
    fields.isError === read.isError &&
    fields.structuredContent === read.structuredContent &&
    fields.metadata === read.metadata
  );
}

function isPlainObject(value: unknown): boolean {
  if (!isJsonObject(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
