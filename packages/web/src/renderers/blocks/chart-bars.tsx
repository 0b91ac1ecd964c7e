import type { ChartBlock } from '@toolpost/protocol';
import { useMemo } from 'react';
import { plainLine } from '../../text/plain-text.ts';
import { ChartFrame } from './chart-frame.tsx';
import { scaleOf, seriesName, wholeNumber } from './chart-scale.ts';
import { usePlot, yOf } from './use-plot.ts';

const GROUP_SHARE = 0.72;
const MAX_BAR = 56;

export function Bars({ chart }: { readonly chart: ChartBlock }) {
  const { labels, series, unit } = chart;
  const plot = usePlot();
  const scale = useMemo(() => scaleOf(chart), [chart]);
  const step = plot.width / Math.max(1, labels.length);
  const width = Math.min(MAX_BAR, (step * GROUP_SHARE) / series.length);
  const middle = (at: number) => plot.left + step * (at + 0.5);
  const zero = yOf(plot, Math.min(1, Math.max(0, scale.at(0))));
  return (
    <ChartFrame chart={chart} plot={plot} scale={scale} xOf={middle}>
      {Array.from(series.entries(), ([index, one]) => (
        <g key={index} className={`series-${index % 6}`}>
          {Array.from(one.values.entries(), ([at, value]) => {
            if (value === null) return null;
            const y = yOf(plot, scale.at(value));
            return (
              <rect
                key={at}
                x={middle(at) + (index - series.length / 2) * width + 0.5}
                y={Math.min(y, zero)}
                width={Math.max(0.5, width - 1)}
                height={Math.max(0.5, Math.abs(zero - y))}
                rx={Math.min(2, width / 4)}
              >
                <title>{`${plainLine(labels[at] ?? '')} · ${plainLine(seriesName(one, index))}: ${wholeNumber(value, unit)}`}</title>
              </rect>
            );
          })}
        </g>
      ))}
    </ChartFrame>
  );
}
