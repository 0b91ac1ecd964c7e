import type { Cell, TableBlock as Table } from '@toolpost/protocol';
import { useMemo, useState } from 'react';
import { plainLine } from '../../text/plain-text.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { ScrollBox } from '../../ui/scroll-box.tsx';
import { toCsv } from './to-csv.ts';

const SHOWN_ROWS = 20;
/** More at once would hold up the page. */
const STEP = 500;

interface Order {
  readonly column: number;
  readonly isDescending: boolean;
}

/** A table that can be sorted by each of its columns, and copied as CSV. */
export function TableBlock({ table }: { readonly table: Table }) {
  const { columns, rows } = table;
  const [order, setOrder] = useState<Order>();
  const [count, setCount] = useState(SHOWN_ROWS);
  const sorted = useMemo(() => sortedRows(rows, order), [rows, order]);
  const shown = sorted.slice(0, count);
  const hidden = rows.length - shown.length;
  const aligns = useMemo(
    () => columns.map(({ align }, at) => align ?? (isNumeric(rows, at) ? 'right' : 'left')),
    [columns, rows],
  );
  return (
    <div className="data-table">
      <ScrollBox label={plainLine(table.title ?? '') || 'Table'}>
        <table>
          <thead>
            <tr>
              {Array.from(columns.entries(), ([at, { label }]) => (
                <th key={at} scope="col" className={`to-${aligns[at]}`} aria-sort={sortOf(order, at)}>
                  <button type="button" className="sort" onClick={() => setOrder(nextOrder(order, at))}>
                    {plainLine(label)}
                    <span aria-hidden="true">{signOf(order, at)}</span>
                  </button>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map(({ at, cells }) => (
              <tr key={at}>
                {Array.from(cells.entries(), ([column, cell]) => (
                  <td key={column} className={`to-${aligns[column]}`}>
                    {cell === null ? '' : plainLine(String(cell))}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollBox>
      <div className="block-tools">
        {hidden > 0 && (
          <button type="button" className="quiet more-rows" onClick={() => setCount(count + STEP)}>
            {hidden > STEP ? `Show ${STEP} of ${hidden} more rows` : `Show ${hidden} more rows`}
          </button>
        )}
        <CopyButton text={async () => toCsv(table)} what="the table as CSV" />
      </div>
    </div>
  );
}

function isNumeric(rows: readonly (readonly Cell[])[], column: number): boolean {
  let isAny = false;
  for (const row of rows) {
    const cell = row[column] ?? null;
    if (cell === null) continue;
    if (typeof cell !== 'number') return false;
    isAny = true;
  }
  return isAny;
}

function sortedRows(rows: readonly (readonly Cell[])[], order: Order | undefined) {
  const numbered = rows.map((cells, at) => ({ at, cells }));
  if (!order) return numbered;
  const sign = order.isDescending ? -1 : 1;
  return numbered.sort((a, b) => sign * compare(a.cells[order.column] ?? null, b.cells[order.column] ?? null));
}

const COLLATOR = new Intl.Collator(undefined, { numeric: true });

/** Nothing comes last, whichever way the rest goes up. */
function compare(a: Cell, b: Cell): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return COLLATOR.compare(String(a), String(b));
}

/** Up, down, then as it came. */
function nextOrder(order: Order | undefined, column: number): Order | undefined {
  if (order?.column !== column) return { column, isDescending: false };
  return order.isDescending ? undefined : { column, isDescending: true };
}

function sortOf(order: Order | undefined, column: number): 'ascending' | 'descending' | 'none' {
  if (order?.column !== column) return 'none';
  return order.isDescending ? 'descending' : 'ascending';
}

function signOf(order: Order | undefined, column: number): string {
  if (order?.column !== column) return '';
  return order.isDescending ? ' ↓' : ' ↑';
}
