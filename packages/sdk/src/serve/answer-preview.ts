import { HOST_METHODS, type JsonObject } from '@toolpost/protocol';
import type { Tool } from '../define/define-tool.ts';
import { parseToolInput } from '../define/parse-tool-input.ts';
import { readHookEvent } from './read-hook-event.ts';

interface PreviewServices {
  readonly settings: JsonObject;
  readonly abortSignal: AbortSignal;
}

/**
 * The answer to `preview_tool`: a text, or null where there is none.
 * @throws what the tool's preview threw, or that there is no such tool or preview.
 */
export async function answerPreview(
  tool: Tool | undefined,
  params: JsonObject,
  { settings, abortSignal }: PreviewServices,
): Promise<JsonObject> {
  if (!tool?.preview) throw new Error(`${HOST_METHODS.previewTool} not implemented by ${String(params.toolName)}`);
  const { session } = readHookEvent(params);
  const roots = Array.isArray(params.roots) ? params.roots.map(String) : [];
  const input = typeof params.input === 'string' && params.input !== '' ? parseToolInput(params.input) : {};
  return { result: (await tool.preview(input, { session, roots, settings, abortSignal })) ?? null };
}
