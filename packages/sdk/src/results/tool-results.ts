import type { BlockInput, ContentBlock, JsonObject, ToolResult } from '@toolpost/protocol';

/** A result of one text (seed A: NewToolResult), or of blocks. */
export function newToolResult(content: string | readonly ContentBlock[]): ToolResult {
  return { content: toBlocks(content), isError: false };
}

/** An expected failure (seed A: NewToolError): the model sees the text and can do something else. */
export function newToolError(message: string): ToolResult {
  return { content: toBlocks(message), isError: true };
}

export interface ResultBuilder {
  content(content: string | readonly ContentBlock[]): ResultBuilder;
  /** Sets the text and the error flag. */
  error(message: string): ResultBuilder;
  isError(flag: boolean): ResultBuilder;
  /** Adds one value for clients and renderers; the same key again overwrites. */
  metadata(key: string, value: unknown): ResultBuilder;
  structuredContent(value: JsonObject): ResultBuilder;
  /** Adds a part that clients draw: `table(...)`, `chart(...)`, `diff(...)`, `form(...)`, `tree(...)`, `markdown(...)`. */
  block(block: BlockInput): ResultBuilder;
  /** A copy of what was set so far; the builder can go on. */
  build(): ToolResult;
}

/** Builds a result step by step (seed A: NewResultBuilder). An untouched builder gives empty text. */
export function newResultBuilder(): ResultBuilder {
  let blocks = toBlocks('');
  let isError = false;
  let structured: JsonObject | undefined;
  const metadata = new Map<string, unknown>();
  const drawn: BlockInput[] = [];
  const builder: ResultBuilder = {
    content(content) {
      blocks = toBlocks(content);
      return builder;
    },
    error(message) {
      blocks = toBlocks(message);
      isError = true;
      return builder;
    },
    isError(flag) {
      isError = flag;
      return builder;
    },
    metadata(key, value) {
      metadata.set(key, value);
      return builder;
    },
    structuredContent(value) {
      structured = value;
      return builder;
    },
    block(block) {
      drawn.push(block);
      metadata.set('blocks', drawn);
      return builder;
    },
    build: () =>
      structuredClone({
        content: blocks,
        ...(structured && { structuredContent: structured }),
        isError,
        ...(metadata.size > 0 && { metadata: Object.fromEntries(metadata) }),
      }),
  };
  return builder;
}

function toBlocks(content: string | readonly ContentBlock[]): ContentBlock[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : [...content];
}
