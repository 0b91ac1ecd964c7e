import type { JsonObject } from '@toolpost/protocol';

interface TableRow {
  /** Its place in the list. */
  readonly at: number;
  readonly cells: Readonly<Record<string, unknown>>;
}

export interface TableData {
  readonly columns: readonly string[];
  readonly rows: readonly TableRow[];
}

const MAX_COLUMNS = 12;

/** A list of flat objects, alone or as the only list in an object; undefined when it is none. */
export function readTable(value: JsonObject): TableData | undefined {
  const lists = Object.values(value).filter(Array.isArray);
  const [rows] = lists;
  if (lists.length !== 1 || !rows || rows.length === 0 || !rows.every(isFlat)) return undefined;
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  if (columns.length === 0 || columns.length > MAX_COLUMNS) return undefined;
  return { columns, rows: rows.map((cells, at) => ({ at, cells })) };
}

function isFlat(row: unknown): row is Record<string, unknown> {
  if (typeof row !== 'object' || row === null || Array.isArray(row)) return false;
  return Object.values(row).every((cell) => typeof cell !== 'object' || cell === null);
}
