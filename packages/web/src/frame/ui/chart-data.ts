import { CHART_KINDS, type ChartBlock, type ChartSeries } from '@toolpost/protocol';

interface GivenSeries {
  readonly name?: string;
  readonly values?: readonly unknown[];
  readonly data?: readonly unknown[];
}

export interface GivenChart {
  /** `line`, `area`, `bar`, `pie` or `spark`. */
  readonly type?: string;
  /** Numbers, or objects with a label and numbers. */
  readonly data?: readonly unknown[];
  /** The key of the label in `data`; the first that is a text when it is not said. */
  readonly x?: string;
  /** The keys of the numbers in `data`, or series of their own. */
  readonly series?: readonly (string | GivenSeries)[];
  readonly labels?: readonly unknown[];
  readonly title?: string;
  readonly unit?: string;
}

type Row = Readonly<Record<string, unknown>>;

/** Reads the several ways in which people write the numbers of a chart. What is no number is a gap. */
export function readChart({ type, title, unit, ...given }: GivenChart): ChartBlock {
  const kind = CHART_KINDS.find((one) => one === (type === 'donut' ? 'pie' : type)) ?? 'line';
  const series = readSeries(given);
  const length = Math.max(0, ...series.map(({ values }) => values.length));
  const labels = (given.labels ?? labelsOf(given)).map(String);
  return {
    type: 'chart',
    kind,
    labels: Array.from({ length }, (_, at) => labels[at] ?? String(at + 1)),
    series,
    ...(title !== undefined && { title }),
    ...(unit !== undefined && { unit }),
  };
}

function readSeries({ data = [], x, series }: GivenChart): ChartSeries[] {
  const own = (series ?? []).filter((one) => typeof one === 'object');
  if (own.length > 0) return own.map(({ name, values, data: other }) => named(name, values ?? other ?? []));
  if (data.every((one) => !isRow(one))) return [named(undefined, data)];
  const rows = data.map((row) => (isRow(row) ? row : {}));
  const keys = series ? series.filter((one) => typeof one === 'string') : numericKeys(rows, x);
  return keys.map((key) =>
    named(
      keys.length === 1 ? undefined : key,
      rows.map((row) => row[key]),
    ),
  );
}

function named(name: string | undefined, values: readonly unknown[]): ChartSeries {
  return { ...(name !== undefined && { name }), values: values.map(toNumber) };
}

function labelsOf({ data = [], x }: GivenChart): unknown[] {
  return data.map((row, at) => {
    if (!isRow(row)) return at + 1;
    const key = x ?? Object.keys(row).find((name) => typeof row[name] === 'string');
    return (key !== undefined && row[key]) || at + 1;
  });
}

function numericKeys(rows: readonly Row[], x: string | undefined): string[] {
  return Object.keys(rows[0] ?? {}).filter((key) => key !== x && rows.some((row) => typeof row[key] === 'number'));
}

function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null;
}

function toNumber(value: unknown): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
}
