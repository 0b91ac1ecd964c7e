import { BLOCK_LIMITS, BLOCK_TYPES, type Block, type ChartBlock, type DiffBlock } from './blocks.ts';
import { BLOCK_SHAPES, readRows } from './blocks-shapes.ts';
import { isJsonObject, type JsonObject } from './json.ts';
import { type Findings, joinFindings, keyPath, noteWrong, oneOf, type ReadBy } from './shape/index.ts';

/** A diff whose two texts are still to be compared. */
export interface UncomparedDiff extends Omit<DiffBlock, 'patch'> {
  before: string;
  after: string;
}

export interface ReadBlocks {
  readonly blocks: readonly (Block | UncomparedDiff)[];
  /** What is wrong, one sentence a block that was left out or a key that was ignored; each begins with its path. */
  readonly problems: readonly string[];
}

/** Reads `metadata.blocks` of a result: what is no block is left out, and said. Never throws. */
export function readBlocks(value: unknown, path = 'blocks'): ReadBlocks {
  if (!Array.isArray(value))
    return { blocks: [], problems: [`${path}: it has to be a list of blocks, so none is shown`] };
  const blocks: (Block | UncomparedDiff)[] = [];
  const problems: string[] = [];
  let left: number = BLOCK_LIMITS.jsonCharacters;
  for (const [at, one] of value.slice(0, BLOCK_LIMITS.blocks).entries()) {
    const findings: Findings = { problems: [], warnings: [] };
    const block = readBlock(one, `${path}[${at}]`, findings);
    if (!block || findings.problems.length > 0) {
      problems.push(`${joinFindings(findings.problems, 3)}: this block is left out`);
      continue;
    }
    left -= JSON.stringify(block).length;
    if (left < 0) {
      problems.push(`${path}[${at}]: the blocks are larger than ${BLOCK_LIMITS.jsonCharacters} characters: left out`);
      break;
    }
    if (findings.warnings.length > 0) problems.push(joinFindings(findings.warnings, 3));
    blocks.push(block);
  }
  if (value.length > BLOCK_LIMITS.blocks)
    problems.push(`${path}: of ${value.length} blocks the first ${BLOCK_LIMITS.blocks} are shown`);
  return { blocks, problems };
}

const TYPE = oneOf(BLOCK_TYPES);

function readBlock(value: unknown, path: string, findings: Findings): Block | UncomparedDiff | undefined {
  if (!isJsonObject(value)) return noteWrong(findings, path, value, 'a block, an object with a type');
  const { type: given, ...rest } = value;
  const type = TYPE.read(given, keyPath(path, 'type'), findings);
  if (type === undefined) return undefined;
  if (type === 'table') return readTable(rest, path, findings);
  if (type === 'chart') return readChart(BLOCK_SHAPES.chart.read(rest, path, findings), path, findings);
  if (type === 'diff') return readDiff(BLOCK_SHAPES.diff.read(rest, path, findings), path, findings);
  if (type === 'form') return typed('form', BLOCK_SHAPES.form.read(rest, path, findings));
  if (type === 'tree') return typed('tree', BLOCK_SHAPES.tree.read(rest, path, findings));
  return typed('markdown', BLOCK_SHAPES.markdown.read(rest, path, findings));
}

function typed<const T extends string, B extends object>(type: T, read: B | undefined): ({ type: T } & B) | undefined {
  return read && { type, ...read };
}

function readTable(value: JsonObject, path: string, findings: Findings): Block | undefined {
  const read = BLOCK_SHAPES.table.read(value, path, findings);
  if (!read || findings.problems.length > 0) return undefined;
  const rows = readRows(read.rows, read.columns, { path: keyPath(path, 'rows'), findings });
  return rows && { type: 'table', ...read, rows };
}

/** `values` alone is one series; labels that are missing are counted. */
function readChart(
  read: ReadBy<typeof BLOCK_SHAPES.chart> | undefined,
  path: string,
  findings: Findings,
): ChartBlock | undefined {
  if (!read || findings.problems.length > 0) return undefined;
  const { values, kind = 'bar', series = values && [{ values }], labels, ...rest } = read;
  if (!series || series.length === 0) {
    findings.problems.push(`${path}.series: missing; a chart needs one, or values`);
    return undefined;
  }
  const count = Math.max(...series.map((one) => one.values.length), labels?.length ?? 0);
  const all = Array.from({ length: count }, (_, at) => labels?.[at] ?? String(at + 1));
  const filled = series.map((one) => ({ ...one, values: all.map((_, at) => one.values[at] ?? null) }));
  return { type: 'chart', kind, ...rest, labels: all, series: filled };
}

function readDiff(
  read: ReadBy<typeof BLOCK_SHAPES.diff> | undefined,
  path: string,
  findings: Findings,
): DiffBlock | UncomparedDiff | undefined {
  if (!read) return undefined;
  const { patch, before, after, ...rest } = read;
  if (patch !== undefined) return { type: 'diff', ...rest, patch };
  if (before !== undefined && after !== undefined) return { type: 'diff', ...rest, before, after };
  findings.problems.push(`${path}.patch: missing; a diff needs it, or before and after`);
  return undefined;
}
