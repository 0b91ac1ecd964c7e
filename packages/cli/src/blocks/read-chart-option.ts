import {
  BLOCK_LIMITS,
  type Block,
  type ChartKind,
  isJsonObject,
  type JsonObject,
  readBlocks,
} from '@toolpost/protocol';

const KINDS: Readonly<Record<string, ChartKind>> = { bar: 'bar', line: 'line', pie: 'pie', scatter: 'line' };

/**
 * An ECharts option, as JSON text, as far as a terminal can draw it: bars, lines and pies over labels. Undefined for others,
 * and for one that is still being written.
 */
export function readChartOption(code: string): Block | undefined {
  const option = parsed(code);
  if (!isJsonObject(option)) return undefined;
  const all = listOf(option.series).filter(isJsonObject).slice(0, BLOCK_LIMITS.series);
  const [first] = all;
  const kind = first && KINDS[String(first.type ?? 'bar')];
  if (!kind) return undefined;
  const title = listOf(option.title).filter(isJsonObject)[0]?.text;
  const axes = [option.xAxis, option.yAxis].flatMap(listOf).filter(isJsonObject);
  const named = axes.find(({ data }) => Array.isArray(data))?.data ?? listOf(first.data).map(nameOf);
  const block = {
    type: 'chart',
    kind: kind === 'line' && first.areaStyle !== undefined ? 'area' : kind,
    ...(typeof title === 'string' && { title: title.slice(0, BLOCK_LIMITS.titleCharacters) }),
    labels: listOf(named).map(labelOf).slice(0, BLOCK_LIMITS.points),
    series: all.map(seriesOf),
  };
  return readBlocks([block]).blocks[0] as Block | undefined;
}

function parsed(code: string): unknown {
  try {
    return JSON.parse(code);
  } catch {
    return undefined;
  }
}

function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return value === undefined || value === null ? [] : [value];
}

function seriesOf({ name, data }: JsonObject): JsonObject {
  const values = listOf(data).map(numberOf).slice(0, BLOCK_LIMITS.points);
  return { values, ...(typeof name === 'string' && { name: name.slice(0, BLOCK_LIMITS.titleCharacters) }) };
}

/** A point is a number, a pair whose second part is the value, or an object that has it. */
function numberOf(point: unknown): number | null {
  if (typeof point === 'number') return Number.isFinite(point) ? point : null;
  if (Array.isArray(point)) return numberOf(point[1]);
  return isJsonObject(point) && point.value !== point ? numberOf(point.value) : null;
}

function nameOf(point: unknown, at: number): unknown {
  if (isJsonObject(point) && point.name !== undefined) return point.name;
  return Array.isArray(point) ? point[0] : at + 1;
}

function labelOf(label: unknown): string {
  const text = isJsonObject(label) ? label.value : label;
  return String(text ?? '').slice(0, BLOCK_LIMITS.titleCharacters);
}
