import type { RegisteredTool } from '@toolpost/host';
import { columns } from './columns.ts';

/** Tools for people: name, plugin and what it does, one a line. */
export function toolColumns(tools: readonly RegisteredTool[]): string {
  if (tools.length === 0) return 'This session sees no tools. `toolpost plugins list` shows what was found.\n';
  const rows = tools.map(({ definition, plugin }) => [
    definition.name,
    plugin.id,
    plugin.broken === undefined ? definition.description : `(broken) ${plugin.broken}`,
  ]);
  // A terminal that does not know its size says 0.
  return columns(rows, process.stdout.columns || 120);
}
