import { useState } from 'react';
import { plainLine } from '../text/plain-text.ts';
import { ScrollBox } from '../ui/scroll-box.tsx';
import type { TableData } from './data-shape.ts';

const SHOWN_ROWS = 12;

export function TableView({ columns, rows }: TableData) {
  const [isOpen, setOpen] = useState(false);
  const shown = isOpen ? rows : rows.slice(0, SHOWN_ROWS);
  return (
    <div className="data-table">
      <ScrollBox label="Result as a table">
        <table>
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column} scope="col">
                  {plainLine(column)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map(({ at, cells }) => (
              <tr key={at}>
                {columns.map((column) => (
                  <td key={column} className={typeof cells[column] === 'number' ? 'number' : ''}>
                    {cellText(cells[column])}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollBox>
      {shown.length < rows.length && (
        <button type="button" className="quiet more-rows" onClick={() => setOpen(true)}>
          Show {rows.length - shown.length} more rows
        </button>
      )}
    </div>
  );
}

function cellText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return plainLine(String(value));
}
