import type { ChartBlock } from '@toolpost/protocol';
import { cutLine, type Line, span, textWidth } from '../terminal-client/draw/line.ts';
import type { Page } from '../terminal-client/draw/markdown.ts';
import { paintOfSeries, rangeOf, shortNumber } from './chart-parts.ts';

const MAX_NAME = 24;
const STEPS = '▁▂▃▄▅▆▇█';

/** One row a series: its name, its course, its last value. Of more values than there is room for, the last ones. */
export function sparkLines(chart: ChartBlock, { theme, width }: Page): Line[] {
  const { min, max } = rangeOf(chart);
  const range = max / 2 - min / 2;
  return chart.series.map(({ name = '', values }, at): Line => {
    const last = values.findLast((value) => value !== null);
    const says = last === undefined || last === null ? 'none' : shortNumber(last, chart.unit);
    const head = name === '' ? '' : `${cutLine([span(name)], MAX_NAME)[0]?.text ?? ''} `;
    const room = Math.max(1, width - textWidth(head) - says.length - 1);
    const course = values.slice(-room).map((value) => {
      if (value === null) return ' ';
      const step = range > 0 ? Math.round(((value / 2 - min / 2) / range) * (STEPS.length - 1)) : 3;
      return STEPS[step] ?? ' ';
    });
    return [span(head), span(course.join(''), paintOfSeries(at, theme)), span(` ${says}`, theme.faint)];
  });
}
