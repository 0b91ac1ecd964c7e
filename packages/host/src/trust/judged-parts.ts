import { isDeepStrictEqual } from 'node:util';
import type { ChangedTool } from './tool-pins.ts';

/** What a person or a model judges a tool by, in the order in which it is shown, with its words. */
export const JUDGED_PARTS = [
  ['name', 'name'],
  ['title', 'title'],
  ['description', 'description'],
  ['inputSchema', 'input schema'],
  ['outputSchema', 'output schema'],
  ['annotations', 'annotations'],
  ['primaryArg', 'primary argument'],
] as const;

/** What has changed of a tool, in words: `description and input schema`. */
export function changedParts({ accepted, now }: ChangedTool): string {
  const changed = JUDGED_PARTS.filter(([part]) => !isDeepStrictEqual(accepted[part], now[part]));
  return changed.map(([, words]) => words).join(' and ');
}
