import type { ContentBlock } from './content.ts';
import type { JsonObject } from './json.ts';

/**
 * What a tool gives back. The model gets `content` (and `structuredContent` where its wire has a place for it);
 * `metadata` goes to clients and renderers, never to the model. An expected failure is `isError: true` with
 * text that says what to do next (seed A: NewToolError).
 */
export interface ToolResult {
  content: ContentBlock[];
  structuredContent?: JsonObject;
  isError: boolean;
  metadata?: JsonObject;
}
