import type { ChartBlock as Chart } from '@toolpost/protocol';
import { useState } from 'react';
import { plainLine } from '../../text/plain-text.ts';
import { Bars } from './chart-bars.tsx';
import { Lines } from './chart-lines.tsx';
import { Pie } from './chart-pie.tsx';
import { seriesName } from './chart-scale.ts';
import { Spark } from './chart-spark.tsx';
import { TableBlock } from './table-block.tsx';

/** A chart, and its numbers as a table for whoever wants or needs them. */
export function ChartBlock({ chart }: { readonly chart: Chart }) {
  const [isTable, setTable] = useState(false);
  return (
    <figure className="chart">
      {isTable ? <TableBlock table={asTable(chart)} /> : <DrawnChart chart={chart} />}
      <figcaption className="block-tools">
        {!isTable && <Legend chart={chart} />}
        <button type="button" className="quiet" onClick={() => setTable(!isTable)}>
          {isTable ? 'Show the chart' : 'Show the numbers'}
        </button>
      </figcaption>
    </figure>
  );
}

/** The picture alone, in every place where charts are drawn. */
export function DrawnChart({ chart }: { readonly chart: Chart }) {
  switch (chart.kind) {
    case 'bar':
      return <Bars chart={chart} />;
    case 'line':
    case 'area':
      return <Lines chart={chart} />;
    case 'pie':
      return <Pie chart={chart} />;
    case 'spark':
      return <Spark chart={chart} />;
  }
}

export function Legend({ chart: { series, kind } }: { readonly chart: Chart }) {
  if (kind === 'pie' || kind === 'spark' || (series.length === 1 && series[0]?.name === undefined)) return <span />;
  return (
    <ul className="legend">
      {Array.from(series.entries(), ([at, one]) => (
        <li key={at}>
          <span className={`swatch series-${at % 6}`} /> {plainLine(seriesName(one, at))}
        </li>
      ))}
    </ul>
  );
}

function asTable({ labels, series, unit = '', title }: Chart) {
  const columns = [{ label: '' }, ...series.map((one, at) => ({ label: withUnit(seriesName(one, at), unit) }))];
  const rows = labels.map((label, at) => [label, ...series.map(({ values }) => values[at] ?? null)]);
  return { type: 'table' as const, columns, rows, ...(title !== undefined && { title }) };
}

function withUnit(name: string, unit: string): string {
  return unit === '' ? name : `${name} (${unit})`;
}
