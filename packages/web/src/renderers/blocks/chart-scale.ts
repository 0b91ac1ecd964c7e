import { type ChartBlock, type ChartSeries, numberWithUnit } from '@toolpost/protocol';
import { plainLine } from '../../text/plain-text.ts';

export function seriesName({ name }: ChartSeries, at: number): string {
  return name ?? (at === 0 ? 'value' : `series ${at + 1}`);
}

/** The axis of values: where each lies between 0, at the bottom, and 1, and the round numbers to write beside it. */
export interface Scale {
  at(value: number): number;
  readonly ticks: readonly number[];
}

const TICKS = 4;

export function scaleOf({ series, kind }: ChartBlock): Scale {
  const values = series.flatMap((one) => one.values.filter((value) => value !== null));
  const fromZero = kind !== 'line';
  const min = Math.min(...values, fromZero ? 0 : Number.POSITIVE_INFINITY);
  const max = Math.max(...values, fromZero ? 0 : Number.NEGATIVE_INFINITY);
  if (!Number.isFinite(min) || !Number.isFinite(max - min) || max === min) return flatScale(min, max);
  const step = roundStep((max - min) / TICKS);
  const [bottom, top] = [Math.floor(min / step) * step, Math.ceil(max / step) * step];
  const count = Math.round((top - bottom) / step);
  // At the ends of what a number can be there is no round one beyond.
  if (!(count >= 1 && count <= 4 * TICKS)) return flatScale(min, max);
  return {
    at: (value) => (value - bottom) / (top - bottom),
    ticks: Array.from({ length: count + 1 }, (_, at) => Number((bottom + at * step).toPrecision(12))),
  };
}

/** One value alone, or numbers so far apart that there is no number for their range. */
function flatScale(min: number, max: number): Scale {
  if (!Number.isFinite(min)) return { at: () => 0, ticks: [0] };
  const range = max / 2 - min / 2;
  return { at: (value) => (range > 0 ? (value / 2 - min / 2) / range : 0.5), ticks: [...new Set([min, max])] };
}

/** 1, 2 or 5 times a power of ten. */
function roundStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough));
  const factor = [1, 2, 5, 10].find((one) => one * power >= rough) ?? 10;
  return factor * power || rough;
}

const FORMAT = new Intl.NumberFormat('en', { maximumSignificantDigits: 4, notation: 'compact' });
const EXACT = new Intl.NumberFormat('en', { maximumSignificantDigits: 15 });

/** A number as it stands at an axis. */
export function shortNumber(value: number, unit = ''): string {
  return numberWithUnit(FORMAT.format(value), plainLine(unit));
}

/** A number as it stands in a tooltip. */
export function wholeNumber(value: number, unit = ''): string {
  return numberWithUnit(EXACT.format(value), plainLine(unit));
}

/** What a chart says to who cannot see it: its kind, and its size. The numbers are in its table. */
export function describeChart({ kind, labels, series, title }: ChartBlock): string {
  const of = series.length === 1 ? '' : ` of ${series.length} series`;
  return `${plainLine(title ?? '') || 'Chart'}: ${kind}${of}, ${labels.length} values`;
}
