import type { ChartBlock } from '@toolpost/protocol';
import type { ReactNode } from 'react';
import { plainLine } from '../../text/plain-text.ts';
import { describeChart, type Scale, shortNumber } from './chart-scale.ts';
import { type Plot, yOf } from './use-plot.ts';

/** A label needs so much room, in pixels. */
const LABEL_ROOM = 64;
const CHARACTER = 7;

interface ChartFrameProps {
  readonly chart: ChartBlock;
  readonly plot: Plot;
  readonly scale: Scale;
  /** Where a label's values are, in the picture. */
  readonly xOf: (at: number) => number;
  readonly children: ReactNode;
}

/** The axes, their lines and labels around what a chart draws. */
export function ChartFrame({ chart, plot, scale, xOf, children }: ChartFrameProps) {
  const { labels, unit } = chart;
  const every = Math.max(1, Math.ceil((labels.length * LABEL_ROOM) / plot.width));
  const room = Math.max(4, Math.floor((plot.width * every) / labels.length / CHARACTER));
  return (
    <svg
      className="plot"
      ref={plot.ref}
      viewBox={`0 0 ${plot.fullWidth} ${plot.fullHeight}`}
      role="img"
      aria-label={describeChart(chart)}
    >
      {scale.ticks.map((tick) => (
        <g key={tick} className={tick === 0 ? 'tick zero' : 'tick'}>
          <line
            x1={plot.left}
            x2={plot.left + plot.width}
            y1={yOf(plot, scale.at(tick))}
            y2={yOf(plot, scale.at(tick))}
          />
          <text x={plot.left - 8} y={yOf(plot, scale.at(tick)) + 4} textAnchor="end">
            {shortNumber(tick, unit)}
          </text>
        </g>
      ))}
      {children}
      {Array.from(labels.entries(), ([at, label]) =>
        at % every === 0 ? (
          <text key={at} className="label" x={xOf(at)} y={plot.fullHeight - 6} textAnchor="middle">
            {cut(plainLine(label), room)}
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
