import type { Cell, JsonObject, TableBlock } from '@toolpost/protocol';

const MAX_COLUMNS = 12;

/** A list of flat objects, alone or as the only list in an object; undefined when it is none. */
export function readTable(value: JsonObject): TableBlock | undefined {
  const lists = Object.values(value).filter(Array.isArray);
  const [rows] = lists;
  if (lists.length !== 1 || !rows || rows.length === 0 || !rows.every(isFlat)) return undefined;
  const columns = new Set<string>();
  for (const row of rows)
    for (const name of Object.keys(row)) if (columns.add(name).size > MAX_COLUMNS) return undefined;
  if (columns.size === 0) return undefined;
  const names = [...columns];
  return {
    type: 'table',
    columns: names.map((label) => ({ label })),
    rows: rows.map((row) => names.map((name) => row[name] ?? null)),
  };
}

function isFlat(row: unknown): row is Record<string, Cell> {
  if (typeof row !== 'object' || row === null || Array.isArray(row)) return false;
  return Object.values(row).every((cell) => typeof cell !== 'object' || cell === null);
}
