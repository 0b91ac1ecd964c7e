import { type ReactNode, useState } from 'react';
import { ScrollBox } from '../../ui/scroll-box.tsx';
import { asNode } from './as-text.ts';

type Row = Readonly<Record<string, unknown>> | readonly unknown[];

interface Column {
  readonly key: string;
  readonly label?: string;
  readonly align?: 'left' | 'right' | 'center';
  /** How a cell is shown. */
  readonly render?: (value: unknown, row: Row) => ReactNode;
}

interface TableProps {
  /** Those of the first row when nothing is said. */
  readonly columns?: readonly (string | Column)[];
  readonly rows?: readonly Row[];
  readonly caption?: string;
}

interface Order {
  readonly key: string;
  readonly isUp: boolean;
}

/** Rows that sort by the column whose head is pressed. */
export function Table({ columns, rows = [], caption }: TableProps) {
  const [order, setOrder] = useState<Order>();
  const shown = (columns ?? Object.keys(rows[0] ?? {})).map(toColumn);
  const ordered = order
    ? rows.toSorted((one, other) => compare(cellOf(one, order.key, shown), cellOf(other, order.key, shown), order))
    : rows;
  const sort = (key: string) => setOrder({ key, isUp: order?.key === key ? !order.isUp : true });
  return (
    <ScrollBox label={caption ?? 'Table'} className="ui-table-box">
      <table className="ui-table">
        {caption !== undefined && <caption>{caption}</caption>}
        <thead>
          <tr>
            {shown.map((column) => (
              <Head
                key={column.key}
                column={column}
                order={order}
                isNumber={isNumeric(rows, column, shown)}
                onSort={sort}
              />
            ))}
          </tr>
        </thead>
        <tbody>
          {Array.from(ordered.entries(), ([at, row]) => (
            <tr key={at}>
              {shown.map((column) => (
                <Cell key={column.key} row={row} column={column} columns={shown} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length === 0 && <p className="ui-dim ui-none">Nothing here</p>}
    </ScrollBox>
  );
}

interface HeadProps {
  readonly column: Column;
  readonly order: Order | undefined;
  readonly isNumber: boolean;
  readonly onSort: (key: string) => void;
}

function Head({ column: { key, label = key, align }, order, isNumber, onSort }: HeadProps) {
  const isOrdered = order?.key === key;
  const sorted = isOrdered ? (order.isUp ? 'ascending' : 'descending') : 'none';
  return (
    <th scope="col" aria-sort={sorted} style={{ textAlign: align ?? (isNumber ? 'right' : 'left') }}>
      <button type="button" onClick={() => onSort(key)}>
        {label}
        <span aria-hidden="true">{isOrdered ? (order.isUp ? ' ▴' : ' ▾') : ''}</span>
      </button>
    </th>
  );
}

function Cell({
  row,
  column,
  columns,
}: {
  readonly row: Row;
  readonly column: Column;
  readonly columns: readonly Column[];
}) {
  const value = cellOf(row, column.key, columns);
  const align = column.align ?? (typeof value === 'number' ? 'right' : undefined);
  return (
    <td className={typeof value === 'number' ? 'ui-number' : undefined} style={align && { textAlign: align }}>
      {column.render ? column.render(value, row) : asNode(value)}
    </td>
  );
}

function toColumn(column: string | Column, index: number): Column {
  if (typeof column === 'string') return { key: column };
  return { ...column, key: String(column?.key ?? column?.label ?? index) };
}

function cellOf(row: Row, key: string, columns: readonly Column[]): unknown {
  if (!Array.isArray(row)) return (row as Readonly<Record<string, unknown>> | undefined)?.[key];
  const place = columns.findIndex((column) => column.key === key);
  return row[place];
}

function isNumeric(rows: readonly Row[], { key }: Column, columns: readonly Column[]): boolean {
  return rows.length > 0 && rows.every((row) => typeof cellOf(row, key, columns) === 'number');
}

function compare(one: unknown, other: unknown, { isUp }: Order): number {
  const by =
    typeof one === 'number' && typeof other === 'number'
      ? one - other
      : String(one ?? '').localeCompare(String(other ?? ''), undefined, { numeric: true });
  return isUp ? by : -by;
}
