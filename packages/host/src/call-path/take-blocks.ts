import {
  type Block,
  blockTexts,
  type ContentBlock,
  contentWithoutBlocks,
  type JsonObject,
  readBlocks,
  type ToolResult,
  type UncomparedDiff,
} from '@toolpost/protocol';

/** Reports a block that is not valid. */
export type WarnOfBlock = (problem: string) => void;

/**
 * The result with its `metadata.blocks` as clients can draw them, and with their text form behind what the author wrote. A
 * block that is wrong is left out; the result is kept.
 */
export function takeBlocks(result: ToolResult, warn: WarnOfBlock): ToolResult | Promise<ToolResult> {
  const given = result.metadata?.blocks;
  if (given === undefined) return result;
  const { blocks, problems } = readBlocks(given, 'metadata.blocks');
  for (const problem of problems) warn(problem);
  return blocks.some(isUncompared)
    ? Promise.all(blocks.map(compared)).then((all) => withBlocks(result, all))
    : withBlocks(result, blocks as readonly Block[]);
}

function withBlocks({ metadata, content, ...rest }: ToolResult, blocks: readonly Block[]): ToolResult {
  const { blocks: _, ...others } = metadata ?? {};
  const kept: JsonObject = blocks.length > 0 ? { ...others, blocks } : others;
  return {
    ...rest,
    // A result that went through another host has them already.
    content: contentWith(contentWithoutBlocks(content), blocks),
    ...(Object.keys(kept).length > 0 && { metadata: kept }),
  };
}

/** A builder that was given blocks alone leaves one empty text. */
function contentWith(content: readonly ContentBlock[], blocks: readonly Block[]): ContentBlock[] {
  const [first] = content;
  const isEmpty = content.length === 0 || (content.length === 1 && first?.type === 'text' && first.text === '');
  const texts = blockTexts(blocks, !isEmpty && content.at(-1)?.type === 'text');
  return isEmpty && texts.length > 0 ? [...texts] : [...content, ...texts];
}

function isUncompared(block: Block | UncomparedDiff): block is UncomparedDiff {
  return block.type === 'diff' && 'before' in block;
}

/** Two texts that differ everywhere would take very long: then the change is all of them. */
const COMPARE_MS = 300;

async function compared(block: Block | UncomparedDiff): Promise<Block> {
  if (!isUncompared(block)) return block;
  const { before, after, ...rest } = block;
  const { FILE_HEADERS_ONLY, formatPatch, structuredPatch } = await import('diff');
  const name = (rest.path ?? 'text').replaceAll(/\s+/g, ' ');
  const change = structuredPatch(name, name, before, after, undefined, undefined, { timeout: COMPARE_MS });
  return { ...rest, patch: change ? formatPatch(change, FILE_HEADERS_ONLY) : allChanged(name, before, after) };
}

function allChanged(name: string, before: string, after: string): string {
  const [removed, added] = [before.split('\n'), after.split('\n')];
  return [
    `--- ${name}`,
    `+++ ${name}`,
    `@@ -1,${removed.length} +1,${added.length} @@`,
    ...removed.map((line) => `-${line}`),
    ...added.map((line) => `+${line}`),
  ].join('\n');
}
