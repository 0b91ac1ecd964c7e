import { type ContentBlock, isJsonObject, type JsonObject, quoteValue } from '@toolpost/protocol';
import { InvalidResult, toPlainJson, toWellFormed } from './plain-json.ts';

/** The text fields that each kind of block must have. */
const REQUIRED_TEXTS = {
  text: ['text'],
  image: ['data', 'mimeType'],
  audio: ['data', 'mimeType'],
  resource: [],
  resource_link: ['uri', 'name'],
} as const satisfies Record<ContentBlock['type'], readonly string[]>;

export function isBlockType(type: unknown): type is ContentBlock['type'] {
  return typeof type === 'string' && Object.hasOwn(REQUIRED_TEXTS, type);
}

/**
 * Reads one block of a result: the block itself when it is clean, else a copy whose texts are well-formed. Unknown
 * keys travel along.
 * @throws InvalidResult that names the block and the field.
 */
export function readContentBlock(value: unknown, place: string): ContentBlock {
  if (!isJsonObject(value)) throw new InvalidResult(`${place} must be a block, got ${quoteValue(value)}`);
  if (isPlainTextBlock(value)) {
    return value.text.isWellFormed() ? value : { type: 'text', text: toWellFormed(value.text) };
  }
  const { type } = value;
  if (!isBlockType(type)) {
    const known = Object.keys(REQUIRED_TEXTS).join(', ');
    throw new InvalidResult(`${place}.type must be one of ${known}, got ${quoteValue(type)}`);
  }
  for (const field of REQUIRED_TEXTS[type]) requireText(value[field], `${place}.${field}`);
  if (type === 'resource') checkResource(value.resource, `${place}.resource`);
  return toPlainJson(value, place) as ContentBlock;
}

/** By far the most common block; nothing else of it needs a look. */
function isPlainTextBlock(block: JsonObject): block is { type: 'text'; text: string } {
  if (block.type !== 'text' || typeof block.text !== 'string') return false;
  for (const key in block) if (key !== 'type' && key !== 'text') return false;
  return true;
}

function checkResource(value: unknown, place: string): void {
  if (!isJsonObject(value)) throw new InvalidResult(`${place} must be an object, got ${quoteValue(value)}`);
  requireText(value.uri, `${place}.uri`);
  for (const field of ['mimeType', 'text', 'blob']) {
    if (value[field] !== undefined) requireText(value[field], `${place}.${field}`);
  }
}

function requireText(value: unknown, place: string): void {
  if (typeof value !== 'string') throw new InvalidResult(`${place} must be text, got ${quoteValue(value)}`);
}
