import type { ChartBlock, ChartSeries } from '@toolpost/protocol';
import { useMemo } from 'react';
import { plainLine } from '../../text/plain-text.ts';
import { ChartFrame } from './chart-frame.tsx';
import { type Scale, scaleOf, seriesName, wholeNumber } from './chart-scale.ts';
import { type Plot, usePlot, yOf } from './use-plot.ts';

/** More dots than these are a line anyway. */
const MAX_DOTS = 40;

/** Lines, with the ground below them filled where it is an area; a gap where there is no value. */
export function Lines({ chart }: { readonly chart: ChartBlock }) {
  const { labels, series, unit, kind } = chart;
  const plot = usePlot();
  const scale = useMemo(() => scaleOf(chart), [chart]);
  const xOf = (at: number) =>
    plot.left + (labels.length < 2 ? plot.width / 2 : 12 + (at * (plot.width - 24)) / (labels.length - 1));
  const zero = yOf(plot, Math.min(1, Math.max(0, scale.at(0))));
  return (
    <ChartFrame chart={chart} plot={plot} scale={scale} xOf={xOf}>
      {Array.from(series.entries(), ([index, one]) => (
        <g key={index} className={`series-${index % 6}`}>
          {Array.from(runsOf(one, { plot, scale, xOf }).entries(), ([at, run]) => (
            <g key={at}>
              {kind === 'area' && run[0] && (
                <path className="ground" d={`${pathOf(run)}L${run.at(-1)?.x} ${zero}L${run[0].x} ${zero}Z`} />
              )}
              <path className="course" d={pathOf(run)} />
              {(run.length === 1 || labels.length <= MAX_DOTS) &&
                run.map(({ x, y, at: label, value }) => (
                  <circle key={label} cx={x} cy={y} r={3}>
                    <title>{`${plainLine(labels[label] ?? '')} · ${plainLine(seriesName(one, index))}: ${wholeNumber(value, unit)}`}</title>
                  </circle>
                ))}
            </g>
          ))}
        </g>
      ))}
    </ChartFrame>
  );
}

interface Point {
  readonly x: number;
  readonly y: number;
  readonly at: number;
  readonly value: number;
}

/** The values of a series as they hang together. */
function runsOf(
  { values }: ChartSeries,
  { plot, scale, xOf }: { readonly plot: Plot; readonly scale: Scale; readonly xOf: (at: number) => number },
): readonly (readonly Point[])[] {
  const runs: Point[][] = [];
  let isOpen = false;
  for (const [at, value] of values.entries()) {
    if (value === null) isOpen = false;
    else {
      if (!isOpen) runs.push([]);
      isOpen = true;
      runs.at(-1)?.push({ x: xOf(at), y: yOf(plot, scale.at(value)), at, value });
    }
  }
  return runs;
}

function pathOf(run: readonly Point[]): string {
  return run.map(({ x, y }, at) => `${at === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`).join('');
}
