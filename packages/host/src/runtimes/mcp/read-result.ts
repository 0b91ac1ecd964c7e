import { isJsonObject, type JsonObject, quoteValue } from '@toolpost/protocol';
import { ownMeta } from './protocol-eras.ts';

const KNOWN_BLOCKS = new Set(['text', 'image', 'audio', 'resource', 'resource_link']);

/**
 * A server's result in the shape that the call path settles. Content and structured content travel together, with the
 * error flag (fault E 59); a block of a kind that we do not know is told in words instead of losing the others.
 */
export function readResult(result: JsonObject): JsonObject {
  const { content, structuredContent, isError, _meta } = result;
  const metadata = withBlocks(ownMeta(_meta));
  const blocks = Array.isArray(content) ? content.map(toBlock) : [];
  return {
    content: blocks.length > 0 ? blocks : [{ type: 'text', text: textOfStructured(structuredContent) }],
    ...(isJsonObject(structuredContent) && { structuredContent }),
    isError: isError === true,
    ...(metadata && { metadata }),
  };
}

/** Blocks are those of another Toolpost behind this one; what other servers call so is theirs. */
function withBlocks(meta: JsonObject | undefined): JsonObject | undefined {
  if (!meta) return undefined;
  const { blocks: _, ...own } = meta;
  const kept = own['toolpost/metadata'];
  return isJsonObject(kept) && kept.blocks !== undefined ? { ...own, blocks: kept.blocks } : own;
}

function toBlock(block: unknown): unknown {
  if (isJsonObject(block) && typeof block.type === 'string' && KNOWN_BLOCKS.has(block.type)) return block;
  const kind = isJsonObject(block) ? quoteValue(block.type) : quoteValue(block);
  return { type: 'text', text: `(the server sent a content block of an unknown kind: ${kind})` };
}

/** Data that comes without content is its content too: not every model sees structured content. */
function textOfStructured(value: unknown): string {
  try {
    return value === undefined ? '' : JSON.stringify(value);
  } catch (cause) {
    throw new Error("the server's result has no content, and its structuredContent is nested too deep", { cause });
  }
}
