import type { ToolDefinition } from '@toolpost/protocol';
import {
  type BuiltinExecute,
  type BuiltinPreview,
  type BuiltinSettings,
  type BuiltinTool,
  type OutputRedactor,
  settleFailure,
  settlePreview,
} from './builtin-tool.ts';
import type { SeenFiles } from './seen-files.ts';
import {
  bashDefinition,
  editDefinition,
  globDefinition,
  grepDefinition,
  readDefinition,
  writeDefinition,
} from './tool-definitions.ts';

const SEARCH_BUDGET_MS = 20_000;

export interface BuiltinPluginOptions {
  /** Toolpost's home directory: out of reach of every tool, except for the session's own full-output files. */
  homeDir: string;
  /** From which the environment of `bash` is picked; default this process's own. */
  hostEnvironment?: Readonly<Record<string, string | undefined>>;
  /** Masks secrets in the files of whole outputs, as the call path does in results. */
  redactor?: OutputRedactor;
  /** What the user's rules keep out of a search. */
  withheld?: BuiltinSettings['withheld'];
  /** How long one `glob` or `grep` may work before it answers with what it has; default 20 s. */
  searchBudgetMs?: number;
}

export interface BuiltinPlugin {
  readonly id: 'builtin';
  readonly tools: readonly BuiltinTool[];
  /** Lends a session what its files were when it saw them in an earlier life. */
  recallFiles(...given: Parameters<SeenFiles['recall']>): void;
}

/** The built-in tools. Cheap to make and to import: the code of a tool is loaded when it is called first. */
export function createBuiltinPlugin(options: BuiltinPluginOptions): BuiltinPlugin {
  const { homeDir, hostEnvironment = process.env, redactor, withheld, searchBudgetMs = SEARCH_BUDGET_MS } = options;
  let seenFiles: Promise<SeenFiles> | undefined;
  const settings: BuiltinSettings = {
    homeDir,
    hostEnvironment,
    ...(redactor && { redactor }),
    ...(withheld && { withheld }),
    searchBudgetMs,
    seenFiles() {
      seenFiles ??= import('./seen-files.ts').then((module) => module.createSeenFiles());
      return seenFiles;
    },
  };
  const tool = (definition: ToolDefinition, load: () => Promise<BuiltinExecute>): BuiltinTool => ({
    definition,
    execute: (input, context) => settleFailure(load().then((execute) => execute(input, context, settings))),
  });
  const previewed = (plain: BuiltinTool, load: () => Promise<BuiltinPreview>): BuiltinTool => ({
    ...plain,
    preview: (input, context) => settlePreview(load().then((preview) => preview(input, context, settings))),
  });
  return {
    id: 'builtin',
    recallFiles: (...given) => void settings.seenFiles().then((seen) => seen.recall(...given)),
    tools: [
      tool(readDefinition, async () => (await import('./read-file.ts')).readFile),
      previewed(
        tool(writeDefinition, async () => (await import('./write-file.ts')).writeFile),
        async () => (await import('./write-file.ts')).previewWrite,
      ),
      previewed(
        tool(editDefinition, async () => (await import('./edit-file.ts')).editFile),
        async () => (await import('./edit-file.ts')).previewEdit,
      ),
      previewed(
        tool(bashDefinition, async () => (await import('./run-command.ts')).runCommand),
        async () => (await import('./run-command.ts')).previewCommand,
      ),
      tool(globDefinition, async () => (await import('./search-files.ts')).globFiles),
      tool(grepDefinition, async () => (await import('./search-files.ts')).grepFiles),
    ],
  };
}
