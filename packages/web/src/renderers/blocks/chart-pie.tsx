import type { ChartBlock } from '@toolpost/protocol';
import { plainLine } from '../../text/plain-text.ts';
import { describeChart, wholeNumber } from './chart-scale.ts';

const RADIUS = 80;
const HOLE = 46;

/** The first series as parts of a whole, each with its name and share beside it. Values below zero are no parts. */
export function Pie({ chart }: { readonly chart: ChartBlock }) {
  const { labels, series, unit } = chart;
  const parts = partsOf(series[0]?.values ?? []);
  return (
    <div className="pie">
      <svg viewBox="-84 -84 168 168" role="img" aria-label={describeChart(chart)}>
        {parts.map(({ at, from, to }) => (
          <path key={at} className={`series-${at % 6}`} d={ringPath(from, to)} />
        ))}
      </svg>
      <ul className="legend">
        {parts.map(({ at, value, from, to }) => (
          <li key={at}>
            <span className={`swatch series-${at % 6}`} /> {plainLine(labels[at] ?? '')}{' '}
            <span className="dim">
              {Math.round(100 * (to - from))}% · {wholeNumber(value, unit)}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

interface Part {
  readonly at: number;
  readonly value: number;
  /** Shares of the whole turn, from 0 to 1. */
  readonly from: number;
  readonly to: number;
}

function partsOf(values: readonly (number | null)[]): readonly Part[] {
  const most = Math.max(0, ...values.map((value) => value ?? 0));
  // By their greatest one: the sum of large numbers is none.
  const shares = values.map((value) => (most > 0 ? Math.max(0, value ?? 0) / most : 0));
  const whole = shares.reduce((sum, one) => sum + one, 0);
  let from = 0;
  return shares.flatMap((share, at) => {
    if (share === 0) return [];
    const part = { at, value: values[at] ?? 0, from, to: from + share / whole };
    from = part.to;
    return [part];
  });
}

function ringPath(from: number, to: number): string {
  // A whole turn ends where it began: an arc cannot say that.
  const end = Math.min(to, from + 0.9999);
  const isLong = end - from > 0.5 ? 1 : 0;
  const [a, b, c, d] = [pointAt(from, RADIUS), pointAt(end, RADIUS), pointAt(end, HOLE), pointAt(from, HOLE)];
  return `M${a}A${RADIUS} ${RADIUS} 0 ${isLong} 1 ${b}L${c}A${HOLE} ${HOLE} 0 ${isLong} 0 ${d}Z`;
}

function pointAt(turn: number, radius: number): string {
  const angle = 2 * Math.PI * (turn - 0.25);
  return `${(radius * Math.cos(angle)).toFixed(2)} ${(radius * Math.sin(angle)).toFixed(2)}`;
}
