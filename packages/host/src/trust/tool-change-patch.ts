import type { ToolDefinition } from '@toolpost/protocol';
import { FILE_HEADERS_ONLY, formatPatch, structuredPatch } from 'diff';
import { JUDGED_PARTS } from './judged-parts.ts';
import type { ChangedTool } from './tool-pins.ts';

const MAX_PATCH = 20_000;

/** What has changed of a tool, line by line, as a patch. */
export function toolChangePatch({ name, accepted, now }: ChangedTool): string {
  const change = structuredPatch(name, name, textOf(accepted), textOf(now), 'accepted', 'now', { context: 2 });
  const patch = formatPatch(change, FILE_HEADERS_ONLY);
  return patch.length > MAX_PATCH ? `${patch.slice(0, MAX_PATCH).toWellFormed()}\n... (cut)` : patch;
}

/** A description has its own lines; a schema is written one member a line. */
function textOf(definition: ToolDefinition): string {
  const lines = JUDGED_PARTS.flatMap(([part, words]) => {
    const value = definition[part];
    if (value === undefined) return [];
    return [`${words}: ${typeof value === 'string' ? value : JSON.stringify(value, null, 2)}`];
  });
  return `${lines.join('\n')}\n`;
}
