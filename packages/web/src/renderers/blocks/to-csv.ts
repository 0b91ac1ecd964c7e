import type { Cell, TableBlock } from '@toolpost/protocol';

/** A table as CSV (RFC 4180). What a spreadsheet would run as a formula is text in it. */
export function toCsv({ columns, rows }: TableBlock): string {
  const lines = [columns.map(({ label }) => label), ...rows].map((cells) => cells.map(field).join(','));
  return `${lines.join('\r\n')}\r\n`;
}

function field(cell: Cell): string {
  if (typeof cell !== 'string') return cell === null ? '' : String(cell);
  const safe = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
