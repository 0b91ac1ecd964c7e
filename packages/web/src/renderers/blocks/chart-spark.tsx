import type { ChartBlock } from '@toolpost/protocol';
import { plainLine } from '../../text/plain-text.ts';
import { scaleOf, wholeNumber } from './chart-scale.ts';

const [WIDTH, HEIGHT] = [220, 28];

/** One small row a series: its name, its course, its last value. */
export function Spark({ chart }: { readonly chart: ChartBlock }) {
  const scale = scaleOf({ ...chart, kind: 'line' });
  return (
    <ul className="sparks">
      {Array.from(chart.series.entries(), ([at, { name = '', values }]) => {
        const last = values.findLast((value) => value !== null);
        const said = last === undefined || last === null ? 'none' : wholeNumber(last, chart.unit);
        const points = values.flatMap((value, x) =>
          value === null
            ? []
            : [`${(x * WIDTH) / Math.max(1, values.length - 1)},${HEIGHT - 2 - scale.at(value) * (HEIGHT - 4)}`],
        );
        return (
          <li key={at} className={`series-${at % 6}`}>
            {name !== '' && <span>{plainLine(name)}</span>}
            <svg
              viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
              role="img"
              aria-label={`${plainLine(name)} ${values.length} values, the last one ${said}`}
            >
              <polyline className="course" points={points.join(' ')} />
            </svg>
            <span className="number">{said}</span>
          </li>
        );
      })}
    </ul>
  );
}
