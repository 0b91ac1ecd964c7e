import type { ChartBlock } from '@toolpost/protocol';
import type { ReactNode } from 'react';
import { plainLine } from '../../text/plain-text.ts';
import { describeChart, type Scale, shortNumber } from './chart-scale.ts';

/** The picture in units of its own; the page scales it. */
export const PLOT = { left: 52, top: 8, width: 580, height: 180, bottom: 28 } as const;
const WIDTH = PLOT.left + PLOT.width + 8;
const HEIGHT = PLOT.top + PLOT.height + PLOT.bottom;
const MAX_LABELS = 10;

export function yOf(share: number): number {
  return PLOT.top + PLOT.height * (1 - share);
}

interface ChartFrameProps {
  readonly chart: ChartBlock;
  readonly scale: Scale;
  /** Where a label's values are, in the picture. */
  readonly xOf: (at: number) => number;
  readonly children: ReactNode;
}

/** The axes, their lines and labels around what a chart draws. */
export function ChartFrame({ chart, scale, xOf, children }: ChartFrameProps) {
  const { labels, unit } = chart;
  const every = Math.max(1, Math.ceil(labels.length / MAX_LABELS));
  return (
    <svg className="plot" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={describeChart(chart)}>
      {scale.ticks.map((tick) => (
        <g key={tick} className={tick === 0 ? 'tick zero' : 'tick'}>
          <line x1={PLOT.left} x2={PLOT.left + PLOT.width} y1={yOf(scale.at(tick))} y2={yOf(scale.at(tick))} />
          <text x={PLOT.left - 8} y={yOf(scale.at(tick)) + 4} textAnchor="end">
            {shortNumber(tick, unit)}
          </text>
        </g>
      ))}
      {children}
      {Array.from(labels.entries(), ([at, label]) =>
        at % every === 0 ? (
          <text key={at} className="label" x={xOf(at)} y={HEIGHT - 8} textAnchor="middle">
            {cut(plainLine(label), Math.max(4, Math.floor((90 * every) / labels.length)))}
          </text>
        ) : null,
      )}
    </svg>
  );
}

function cut(text: string, most: number): string {
  const characters = [...text];
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join('')}…`;
}
