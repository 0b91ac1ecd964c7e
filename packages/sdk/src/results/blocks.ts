import type { ChartInput, DiffInput, FormInput, MarkdownInput, TableInput, TreeInput } from '@toolpost/protocol';

/**
 * The blocks that a result can be drawn with: `newResultBuilder().block(table({ columns, rows }))`. Clients show each in
 * their own way, and the model gets its text. The host checks them: one that is wrong is left out, with a warning.
 */
export const table = (input: TableInput) => ({ type: 'table', ...input }) as const;

/** Bars, unless `kind` says otherwise. `values` alone is a chart of one series. */
export const chart = (input: ChartInput) => ({ type: 'chart', ...input }) as const;

/** A change of a text: `patch` as a unified diff, or `before` and `after`. */
export const diff = (input: DiffInput) => ({ type: 'diff', ...input }) as const;

/** A form; what the user sends of it comes to the plugin as the action of an interface. */
export const form = (input: FormInput) => ({ type: 'form', ...input }) as const;

export const tree = (input: TreeInput) => ({ type: 'tree', ...input }) as const;

/** Text with Markdown; markup and pictures from elsewhere are shown as text. */
export const markdown = (input: MarkdownInput | string) =>
  ({ type: 'markdown', ...(typeof input === 'string' ? { text: input } : input) }) as const;
