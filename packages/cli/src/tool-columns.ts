import type { RegisteredTool } from '@toolpost/host';
import { columns } from './columns.ts';

/** A tool as a list for people shows it. */
export interface ToolRow {
  readonly name: string;
  readonly plugin: string;
  readonly description: string;
}

export function toToolRow({ definition, plugin }: RegisteredTool): ToolRow {
  const { name, description } = definition;
  return {
    name,
    plugin: plugin.id,
    description: plugin.broken === undefined ? description : `(broken) ${plugin.broken}`,
  };
}

/** Tools for people, sorted without regard to case: name, plugin and what it does, one a line. A terminal that does not know its size says 0. */
export function toolColumns(tools: readonly ToolRow[], width = process.stdout.columns || 120): string {
  if (tools.length === 0) return 'This session sees no tools. `toolpost plugins list` shows what was found.\n';
  const rows = tools.toSorted(byFoldedName).map(({ name, plugin, description }) => [name, plugin, description]);
  return columns(rows, width);
}

function byFoldedName({ name: one }: ToolRow, { name: other }: ToolRow): number {
  const [a, b] = [one.toLowerCase(), other.toLowerCase()];
  return a < b ? -1 : a > b ? 1 : 0;
}
