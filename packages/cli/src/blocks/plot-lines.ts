import type { ChartBlock } from '@toolpost/protocol';
import { cutLine, type Line, type Span, span, textWidth } from '../terminal-client/draw/line.ts';
import type { Page } from '../terminal-client/draw/markdown.ts';
import { type BrailleCanvas, createBrailleCanvas } from './braille-canvas.ts';
import { legendLine, paintOfSeries, rangeOf, shortNumber } from './chart-parts.ts';

const ROWS = 8;
const MAX_COLUMNS = 100;

/** Lines over an axis, drawn in dots; an area is filled down to zero. */
export function plotLines(chart: ChartBlock, page: Page): Line[] {
  const { labels, unit = '' } = chart;
  const { min, max } = rangeOf(chart);
  const bottom = chart.kind === 'area' ? Math.min(0, min) : min;
  const top = chart.kind === 'area' ? Math.max(0, max) : max;
  const [high, low] = [shortNumber(top, unit), shortNumber(bottom, unit)];
  const axis = Math.max(textWidth(high), textWidth(low));
  const columns = Math.max(4, Math.min(MAX_COLUMNS, page.width - axis - 2));
  const canvas = createBrailleCanvas(columns, ROWS);
  draw(chart, canvas, { columns, bottom, top });
  const rows = Array.from({ length: ROWS }, (_, row): Line => {
    const label = row === 0 ? high : row === ROWS - 1 ? low : '';
    return [span(`${label.padStart(axis)} ┤`, page.theme.faint), ...cellsOf(canvas, row, page)];
  });
  return [...legendLine(chart, page), ...rows, labelLine(labels, { indent: axis + 2, columns }, page)];
}

interface Frame {
  readonly columns: number;
  readonly bottom: number;
  readonly top: number;
}

function draw({ series, labels, kind }: ChartBlock, canvas: BrailleCanvas, { columns, bottom, top }: Frame): void {
  const [lastX, lastY] = [columns * 2 - 1, ROWS * 4 - 1];
  const xOf = (at: number) => (labels.length < 2 ? 0 : Math.round((at * lastX) / (labels.length - 1)));
  // Halved: the range of the two greatest numbers is none.
  const range = top / 2 - bottom / 2;
  const yOf = (value: number) => (range > 0 ? Math.round(((value / 2 - bottom / 2) / range) * lastY) : lastY >> 1);
  const floor = yOf(0);
  for (const [owner, { values }] of series.entries()) {
    let last: readonly [number, number] | undefined;
    for (const [at, value] of values.entries()) {
      const point = value === null ? undefined : ([xOf(at), yOf(value)] as const);
      if (point)
        for (const [x, y] of pointsBetween(last ?? point, point)) {
          canvas.set(x, y, owner);
          if (kind === 'area') fill(canvas, [x, y], { floor, owner });
        }
      last = point;
    }
  }
}

function fill(
  canvas: BrailleCanvas,
  [x, y]: readonly [number, number],
  { floor, owner }: { readonly floor: number; readonly owner: number },
): void {
  for (let at = Math.min(y, floor); at < Math.max(y, floor); at++) canvas.set(x, at, owner);
}

function* pointsBetween(
  [x0, y0]: readonly [number, number],
  [x1, y1]: readonly [number, number],
): Iterable<readonly [number, number]> {
  const steps = Math.max(Math.abs(x1 - x0), Math.abs(y1 - y0), 1);
  for (let step = 0; step <= steps; step++)
    yield [Math.round(x0 + ((x1 - x0) * step) / steps), Math.round(y0 + ((y1 - y0) * step) / steps)];
}

/** Neighbours of one series are one span. */
function cellsOf(canvas: BrailleCanvas, row: number, { theme }: Page): Span[] {
  const spans: Span[] = [];
  let [text, owner] = ['', undefined as number | undefined];
  const end = () => {
    if (text !== '') spans.push(span(text, owner === undefined ? undefined : paintOfSeries(owner, theme)));
  };
  for (const cell of canvas.row(row)) {
    if (cell.owner !== owner) {
      end();
      [text, owner] = ['', cell.owner];
    }
    text += cell.text;
  }
  end();
  return spans;
}

/** The first label at the left, the last one at the right. */
function labelLine(
  labels: readonly string[],
  { indent, columns }: { readonly indent: number; readonly columns: number },
  { theme }: Page,
): Line {
  const room = columns >> 1;
  const cut = (label = '') => cutLine([span(label)], room)[0]?.text ?? '';
  const [first, last] = [cut(labels[0]), labels.length > 1 ? cut(labels.at(-1)) : ''];
  const blank = Math.max(1, columns - textWidth(first) - textWidth(last));
  return [span(`${' '.repeat(indent)}${first}${' '.repeat(blank)}${last}`, theme.faint)];
}
