/** A value in a table's cell. Numbers stay numbers, so that a table can be sorted by them. */
export type Cell = string | number | boolean | null;

/** What every block may say of itself. */
interface BlockHead {
  /** Stands above the block, at most 200 characters. */
  title?: string;
  /** What the model is told in place of the block's own text form; `""` tells it nothing. */
  summary?: string;
}

export interface TableColumn {
  label: string;
  align?: 'left' | 'right' | 'center';
}

export interface TableBlock extends BlockHead {
  type: 'table';
  columns: TableColumn[];
  /** One list of cells a row, in the order of the columns. */
  rows: Cell[][];
}

export const CHART_KINDS = ['bar', 'line', 'area', 'pie', 'spark'] as const;
export type ChartKind = (typeof CHART_KINDS)[number];

export interface ChartSeries {
  name?: string;
  /** One value for each label; `null` is a gap. */
  values: (number | null)[];
}

export interface ChartBlock extends BlockHead {
  type: 'chart';
  kind: ChartKind;
  labels: string[];
  series: ChartSeries[];
  /** Stands behind each value: `ms`, `%`. */
  unit?: string;
}

export interface DiffBlock extends BlockHead {
  type: 'diff';
  path?: string;
  /** A unified diff. */
  patch: string;
}

export const FIELD_KINDS = ['text', 'textarea', 'number', 'checkbox', 'select'] as const;
export type FieldKind = (typeof FIELD_KINDS)[number];

export interface FormField {
  name: string;
  label?: string;
  kind: FieldKind;
  /** What a `select` offers. */
  options?: string[];
  value?: string | number | boolean;
  placeholder?: string;
  required?: boolean;
}

export interface FormBlock extends BlockHead {
  type: 'form';
  /** The name under which the plugin gets what was filled in, as an action of an interface. */
  action: string;
  fields: FormField[];
  /** What stands on the button. */
  submit?: string;
}

export interface TreeNode {
  label: string;
  detail?: string;
  children?: TreeNode[];
}

export interface TreeBlock extends BlockHead {
  type: 'tree';
  nodes: TreeNode[];
}

export interface MarkdownBlock extends BlockHead {
  type: 'markdown';
  text: string;
}

/**
 * A part of a result that clients draw: in the terminal, in the browser, and as an MCP App. Blocks stand in the result's
 * `metadata.blocks`; the model gets their text form.
 */
export type Block = TableBlock | ChartBlock | DiffBlock | FormBlock | TreeBlock | MarkdownBlock;

export const BLOCK_TYPES = ['table', 'chart', 'diff', 'form', 'tree', 'markdown'] as const satisfies Block['type'][];

/** What authors write for a table: a column may be its label alone, a row an object by the columns' labels. */
export interface TableInput extends BlockHead {
  columns: readonly (string | TableColumn)[];
  rows: readonly (readonly Cell[] | Readonly<Record<string, Cell>>)[];
}

/** What authors write for a chart: one series may be its values alone. `kind` is `bar` unless it says otherwise. */
export interface ChartInput extends BlockHead {
  kind?: ChartKind;
  labels?: readonly string[];
  series?: readonly ChartSeries[];
  values?: readonly (number | null)[];
  unit?: string;
}

/** What authors write for a diff: a unified diff, or the two texts that the host compares. */
export type DiffInput = BlockHead & { path?: string } & ({ patch: string } | { before: string; after: string });

export interface FormInput extends Omit<FormBlock, 'type' | 'fields'> {
  /** A field may be its name alone. */
  fields: readonly (string | (Omit<FormField, 'kind'> & { kind?: FieldKind }))[];
}

/** What authors write for a tree: nodes, or nested objects whose keys are labels. */
export interface TreeInput extends BlockHead {
  nodes: readonly (string | TreeNode)[];
}

export type MarkdownInput = Omit<MarkdownBlock, 'type'>;

/** A block as authors may write it; the host reads it into a `Block`. */
export type BlockInput =
  | (TableInput & { type: 'table' })
  | (ChartInput & { type: 'chart' })
  | (DiffInput & { type: 'diff' })
  | (FormInput & { type: 'form' })
  | (TreeInput & { type: 'tree' })
  | (MarkdownInput & { type: 'markdown' });

/** The `ui.mode` of a tool whose results are blocks: clients that need to know it before the call draw them too. */
export const BLOCKS_MODE = 'blocks';

/** How much of each there may be. A block beyond it is left out, with a warning. */
export const BLOCK_LIMITS = {
  blocks: 20,
  /** All blocks of one result together, as JSON. */
  jsonCharacters: 500_000,
  titleCharacters: 200,
  summaryCharacters: 10_000,
  columns: 64,
  rows: 2000,
  cells: 20_000,
  cellCharacters: 2000,
  series: 12,
  points: 2000,
  patchCharacters: 200_000,
  fields: 40,
  options: 200,
  nodes: 2000,
  depth: 20,
  markdownCharacters: 50_000,
} as const;
