import {
  BLOCK_LIMITS,
  type Cell,
  CHART_KINDS,
  type ChartSeries,
  FIELD_KINDS,
  type FormField,
  type TableColumn,
  type TreeNode,
} from './blocks.ts';
import { isJsonObject } from './json.ts';
import * as shape from './shape/index.ts';
import { type Findings, keyPath, noteWrong } from './shape/index.ts';

const TITLE = { max: BLOCK_LIMITS.titleCharacters };

/** What a block of each type holds, beside its `type`. Tables and trees have readers of their own for their inner parts. */
export const BLOCK_SHAPES = {
  table: shape.object({
    ...head(),
    columns: shape.required(shape.list(column(), { maxItems: BLOCK_LIMITS.columns })),
    rows: shape.required(
      rawList('a list of rows, each a list of cells or an object by the columns', BLOCK_LIMITS.rows),
    ),
  }),
  chart: shape.object({
    ...head(),
    kind: shape.oneOf(CHART_KINDS),
    labels: shape.list(text(TITLE), { maxItems: BLOCK_LIMITS.points }),
    series: shape.list(series(), { maxItems: BLOCK_LIMITS.series }),
    values: values(),
    unit: text({ max: 20 }),
  }),
  diff: shape.object({
    ...head(),
    path: text({ max: 1000 }),
    patch: text({ max: BLOCK_LIMITS.patchCharacters }),
    before: text({ max: BLOCK_LIMITS.patchCharacters }),
    after: text({ max: BLOCK_LIMITS.patchCharacters }),
  }),
  form: shape.object({
    ...head(),
    action: shape.required(shape.text({ pattern: /^[\w.:-]{1,64}$/, right: 'a name like "save-city"' })),
    fields: shape.required(shape.list(field(), { maxItems: BLOCK_LIMITS.fields })),
    submit: text({ max: 60 }),
  }),
  tree: shape.object({ ...head(), nodes: shape.required(nodes()) }),
  markdown: shape.object({ ...head(), text: shape.required(text({ max: BLOCK_LIMITS.markdownCharacters })) }),
} as const;

function head() {
  return { title: text(TITLE), summary: text({ max: BLOCK_LIMITS.summaryCharacters }) };
}

/** Text of bounded length, empty too. */
function text({ max }: { readonly max: number }): shape.Shape<string> {
  return {
    read(value, path, findings) {
      if (typeof value !== 'string') return noteWrong(findings, path, value, 'a text');
      if (value.length <= max) return value;
      findings.problems.push(`${path}: it has ${value.length} characters, at most ${max} are shown`);
      return undefined;
    },
    schema: { type: 'string', maxLength: max },
  };
}

/** A list whose items are read later, all together, by what stands beside them. */
function rawList(right: string, maxItems: number): shape.Shape<unknown[]> {
  return shape.list(shape.anything(), { right, maxItems });
}

/** What may be written as one word, the author's short form, is read as the object that it stands for. */
function orWord<T>(whole: shape.Shape<T>, fromWord: (word: string) => T): shape.Shape<T> {
  const word = text(TITLE);
  return {
    read(value, path, findings) {
      if (typeof value !== 'string') return whole.read(value, path, findings);
      const read = word.read(value, path, findings);
      return read === undefined ? undefined : fromWord(read);
    },
    schema: { anyOf: [word.schema, whole.schema] },
  };
}

function column(): shape.Shape<TableColumn> {
  const whole = shape.object({
    label: shape.required(text(TITLE)),
    align: shape.oneOf(['left', 'right', 'center'] as const),
  });
  return orWord<TableColumn>(whole, (label) => ({ label }));
}

function values(): shape.Shape<(number | null)[]> {
  return {
    read(value, path, findings) {
      if (!Array.isArray(value)) return noteWrong(findings, path, value, 'a list of numbers');
      if (value.length > BLOCK_LIMITS.points) return noteTooMany(findings, path, value.length, BLOCK_LIMITS.points);
      const wrong = value.findIndex((one) => one !== null && !(typeof one === 'number' && Number.isFinite(one)));
      if (wrong >= 0) return noteWrong(findings, `${path}[${wrong}]`, value[wrong], 'a number, or null for a gap');
      return value as (number | null)[];
    },
    schema: { type: 'array', items: { type: ['number', 'null'] }, maxItems: BLOCK_LIMITS.points },
  };
}

function series(): shape.Shape<ChartSeries> {
  return shape.object({ name: text(TITLE), values: shape.required(values()) });
}

function field(): shape.Shape<FormField> {
  const whole = shape.object({
    name: shape.required(shape.text({ pattern: /^[\w.-]{1,64}$/, right: 'a name like "city"' })),
    label: text(TITLE),
    kind: shape.oneOf(FIELD_KINDS),
    options: shape.list(text(TITLE), { maxItems: BLOCK_LIMITS.options }),
    value: fieldValue(),
    placeholder: text(TITLE),
    required: shape.boolean(),
  });
  const complete: shape.Shape<FormField> = {
    schema: whole.schema,
    read(value, path, findings) {
      const read = whole.read(value, path, findings);
      return read && { ...read, kind: read.kind ?? (read.options ? 'select' : 'text') };
    },
  };
  return orWord<FormField>(complete, (name) => ({ name, kind: 'text' }));
}

function fieldValue(): shape.Shape<string | number | boolean> {
  return {
    read(value, path, findings) {
      if (typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))) return value;
      return text({ max: BLOCK_LIMITS.cellCharacters }).read(value, path, findings);
    },
    schema: { type: ['string', 'number', 'boolean'] },
  };
}

/** The rows of a table as lists of cells in the order of its columns. Undefined after noting the first wrong one. */
export function readRows(
  rows: readonly unknown[],
  columns: readonly TableColumn[],
  { path, findings }: { readonly path: string; readonly findings: Findings },
): Cell[][] | undefined {
  if (rows.length * columns.length > BLOCK_LIMITS.cells)
    return noteTooMany(findings, path, rows.length * columns.length, BLOCK_LIMITS.cells, 'cells');
  const read: Cell[][] = [];
  for (const [at, row] of rows.entries()) {
    const cells = cellsOf(row, columns);
    if (!cells) return noteWrong(findings, `${path}[${at}]`, row, 'a list of cells, or an object by the columns');
    if (cells.length > columns.length)
      return noteTooMany(findings, `${path}[${at}]`, cells.length, columns.length, 'cells');
    const wrong = cells.findIndex((cell) => !isCell(cell));
    if (wrong >= 0) {
      const right = `a text of at most ${BLOCK_LIMITS.cellCharacters} characters, a number, true, false or null`;
      return noteWrong(findings, `${path}[${at}][${wrong}]`, cells[wrong], right);
    }
    read.push(columns.map((_, index) => (cells[index] ?? null) as Cell));
  }
  return read;
}

function cellsOf(row: unknown, columns: readonly TableColumn[]): readonly unknown[] | undefined {
  if (Array.isArray(row)) return row;
  if (!isJsonObject(row)) return undefined;
  return columns.map(({ label }) => (Object.hasOwn(row, label) ? row[label] : null));
}

function isCell(cell: unknown): boolean {
  if (typeof cell === 'string') return cell.length <= BLOCK_LIMITS.cellCharacters;
  return cell === null || cell === undefined || typeof cell === 'boolean' || Number.isFinite(cell);
}

/** Nodes of a tree, at most so many and so deep; a node may be its label alone. */
function nodes(): shape.Shape<TreeNode[]> {
  const node = { type: 'object', properties: { label: { type: 'string' }, detail: { type: 'string' } } };
  return {
    read(value, path, findings) {
      const before = findings.problems.length;
      const read = readNodes(value, path, { findings, left: BLOCK_LIMITS.nodes, depth: 1 });
      return findings.problems.length > before ? undefined : read;
    },
    schema: { type: 'array', items: { anyOf: [{ type: 'string' }, node] } },
  };
}

interface TreeReading {
  readonly findings: Findings;
  left: number;
  depth: number;
}

function readNodes(value: unknown, path: string, reading: TreeReading): TreeNode[] {
  const { findings } = reading;
  if (!Array.isArray(value)) return noteWrong(findings, path, value, 'a list of nodes') ?? [];
  if (reading.depth > BLOCK_LIMITS.depth) {
    findings.problems.push(`${path}: nested deeper than ${BLOCK_LIMITS.depth} levels`);
    return [];
  }
  const read: TreeNode[] = [];
  for (const [at, one] of value.entries()) {
    if (findings.problems.length > 0) break;
    reading.left -= 1;
    if (reading.left < 0) {
      findings.problems.push(`${path}: there are more than ${BLOCK_LIMITS.nodes} nodes in the tree`);
      break;
    }
    read.push(readNode(one, `${path}[${at}]`, reading));
  }
  return read;
}

const NODE = shape.object({
  label: shape.required(text({ max: BLOCK_LIMITS.cellCharacters })),
  detail: text({ max: BLOCK_LIMITS.cellCharacters }),
  children: shape.anything(),
});

function readNode(value: unknown, path: string, reading: TreeReading): TreeNode {
  const { label, detail, children } =
    NODE.read(typeof value === 'string' ? { label: value } : value, path, reading.findings) ?? {};
  if (label === undefined) return { label: '' };
  if (children === undefined) return { label, ...(detail !== undefined && { detail }) };
  reading.depth += 1;
  const inner = readNodes(children, keyPath(path, 'children'), reading);
  reading.depth -= 1;
  return { label, ...(detail !== undefined && { detail }), children: inner };
}

function noteTooMany(findings: Findings, path: string, count: number, most: number, what = 'items'): undefined {
  findings.problems.push(`${path}: found ${count} ${what}, expected at most ${most}`);
}
