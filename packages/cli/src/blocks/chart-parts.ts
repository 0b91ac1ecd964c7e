import { type ChartBlock, numberWithUnit } from '@toolpost/protocol';
import { type Line, type Paint, span } from '../terminal-client/draw/line.ts';
import type { Page } from '../terminal-client/draw/markdown.ts';
import type { Theme } from '../terminal-client/draw/theme.ts';

/** A number in as few characters as tell it apart. */
export function shortNumber(value: number, unit = ''): string {
  const size = Math.abs(value);
  if (size >= 1e15 || (size > 0 && size < 1e-4)) return numberWithUnit(value.toExponential(1), unit);
  for (const [factor, sign] of SIZES)
    if (size >= factor * 10) return numberWithUnit(trimmed(value / factor) + sign, unit);
  return numberWithUnit(trimmed(value), unit);
}

const SIZES = [
  [1e12, 'T'],
  [1e9, 'G'],
  [1e6, 'M'],
  [1e3, 'k'],
] as const;

function trimmed(value: number): string {
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 1 ? 2 : 4;
  return String(Number(value.toFixed(digits)));
}

/** The colour of a series. Its name stands beside it, since colour alone tells nothing. */
export function paintOfSeries(at: number, { accent, syntax }: Theme): Paint {
  const paints = [accent, syntax.number, syntax.type, syntax.keyword, syntax.string];
  return paints[at % paints.length] ?? accent;
}

/** Names of the series in their colours; none where there is one without a name. */
export function legendLine({ series }: ChartBlock, { theme }: Page): Line[] {
  if (series.length === 1 && series[0]?.name === undefined) return [];
  return [
    series.flatMap(({ name }, at) => [
      span(`${at === 0 ? '' : '  '}■ `, paintOfSeries(at, theme)),
      span(name ?? `series ${at + 1}`),
    ]),
  ];
}

/** The least and the greatest of the values that there are. */
export function rangeOf({ series }: ChartBlock): { readonly min: number; readonly max: number } {
  let [min, max] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { values } of series)
    for (const value of values) {
      if (value === null) continue;
      min = Math.min(min, value);
      max = Math.max(max, value);
    }
  return min > max ? { min: 0, max: 0 } : { min, max };
}
