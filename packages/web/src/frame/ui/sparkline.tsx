import { DrawnChart } from '../../renderers/blocks/chart-block.tsx';
import { readChart } from './chart-data.ts';

interface SparklineProps {
  readonly values?: readonly number[];
  readonly label?: string;
  readonly unit?: string;
}

/** The course of some numbers, as small as a word. */
export function Sparkline({ values = [], label, unit }: SparklineProps) {
  const series = [{ values, ...(label !== undefined && { name: label }) }];
  return <DrawnChart chart={readChart({ type: 'spark', series, ...(unit !== undefined && { unit }) })} />;
}
