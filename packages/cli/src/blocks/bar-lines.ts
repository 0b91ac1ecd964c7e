import type { ChartBlock } from '@toolpost/protocol';
import { cutLine, type Line, span, textWidth } from '../terminal-client/draw/line.ts';
import { type BlockPage, shownCount } from './block-page.ts';
import { legendLine, paintOfSeries, rangeOf, shortNumber } from './chart-parts.ts';
import { moreLines } from './more-lines.ts';

const MAX_LABELS = 30;
const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/** Bars, one a label and series; parts of a whole with their share. Those below zero go to the left. */
export function barLines(chart: ChartBlock, page: BlockPage): Line[] {
  const { labels, series, kind, unit = '' } = chart;
  const limit = shownCount(MAX_LABELS, page);
  const shown = labels.slice(0, limit);
  const total = series[0]?.values.reduce<number>((sum, value) => sum + Math.max(0, value ?? 0), 0) ?? 0;
  const told = (value: number) => {
    const share = kind === 'pie' && total > 0 ? `${Math.round((100 * value) / total)}%  ` : '';
    return share + shortNumber(value, unit);
  };
  const labelWidth = Math.min(Math.max(0, ...shown.map((label) => textWidth(span(label).text))), page.width >> 1, 30);
  const valueWidth = Math.max(0, ...series.flatMap(({ values }) => values.map((one) => textWidth(told(one ?? 0)))));
  const scale = scaleOf(chart, Math.max(4, page.width - labelWidth - valueWidth - 2));
  const bars = shown.flatMap((label, at) =>
    series.map(({ values }, index): Line => {
      const name = index === 0 ? (cutLine([span(label)], labelWidth)[0]?.text ?? '') : '';
      const value = values[at] ?? null;
      const bar = value === null ? '' : barOf(value, scale);
      const blank = ' '.repeat(Math.max(0, labelWidth - textWidth(name)));
      const says = value === null ? 'none' : told(value);
      return [
        span(`${name}${blank} `),
        span(bar, paintOfSeries(index, page.theme)),
        span(` ${says}`, page.theme.faint),
      ];
    }),
  );
  return [...legendLine(chart, page), ...bars, ...moreLines(labels.length, limit, 'labels', page)];
}

interface Scale {
  /** Columns to the left of zero. */
  readonly left: number;
  readonly right: number;
  readonly perColumn: number;
}

function scaleOf(chart: ChartBlock, width: number): Scale {
  const { min, max } = rangeOf(chart);
  const [below, above] = [Math.max(0, -min), Math.max(0, max)];
  // Halved first: the range of the two greatest numbers is none.
  const perColumn = 2 * (below / 2 / width + above / 2 / width);
  if (!(perColumn > 0)) return { left: 0, right: width, perColumn: 1 };
  const left = Math.min(width - 1, Math.round(below / perColumn));
  return { left, right: width - left, perColumn };
}

function barOf(value: number, { left, right, perColumn }: Scale): string {
  const columns = Math.min(Math.abs(value) / perColumn, value < 0 ? left : right);
  if (value < 0) {
    const whole = Math.round(columns);
    return ' '.repeat(left - whole) + '█'.repeat(whole);
  }
  const eighths = Math.round(columns * 8);
  return ' '.repeat(left) + '█'.repeat(eighths >> 3) + (EIGHTHS[eighths & 7] ?? '');
}
