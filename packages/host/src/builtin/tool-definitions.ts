import type { JsonSchema, ToolDefinition } from '@toolpost/protocol';

export const DEFAULT_COMMAND_TIMEOUT_MS = 120_000;
export const MAX_COMMAND_TIMEOUT_MS = 300_000;
/** Of the whole host: a model may ask for hundreds in one round, and each is a process with all that it starts. */
export const MAX_COMMANDS_AT_ONCE = 16;
export const DEFAULT_MAX_MATCHES = 200;
export const MAX_MATCHES = 5000;
export const MAX_CONTEXT_LINES = 50;
/** Longer than any file or search takes, unless the file system hangs; a command has its own limit. */
const FILE_TIMEOUT_MS = 30_000;

const text = (description: string): JsonSchema => ({ type: 'string', description });
const count = (description: string, minimum: number): JsonSchema => ({ type: 'integer', minimum, description });
const flag = (description: string): JsonSchema => ({ type: 'boolean', description });

/**
 * Not in `required`: either of the two names will do, and a top-level `anyOf` is refused by some providers. The tool
 * itself asks for it.
 */
const filePath = {
  file_path: text('The file: absolute, or relative to the first workspace directory. Required.'),
  path: text('Another name for file_path.'),
};

function object(properties: Record<string, JsonSchema>, required: readonly string[] = []): JsonSchema {
  return { type: 'object', properties, required: [...required] };
}

export const readDefinition: ToolDefinition = {
  name: 'read',
  description:
    'Reads a text file. A file of up to 90 KB comes whole; of a longer one the first lines, with the offset at which to go on.',
  inputSchema: object({
    ...filePath,
    offset: count('Lines to skip before the first one that is shown; default 0.', 0),
    limit: count('The most lines to show; default: as many as fit.', 1),
    line_offset: count('Bytes to skip in the first line that is shown, to read on in a very long line; default 0.', 0),
  }),
  annotations: { title: 'Read', readOnlyHint: true, openWorldHint: false },
  timeoutMs: FILE_TIMEOUT_MS,
  primaryArg: 'file_path',
};

export const writeDefinition: ToolDefinition = {
  name: 'write',
  description:
    'Writes a whole file, byte for byte, and makes missing folders. It replaces what was there: to change a part of a file use edit.',
  inputSchema: object({ ...filePath, content: text('The whole content of the file.') }, ['content']),
  annotations: {
    title: 'Write',
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: true,
    openWorldHint: false,
  },
  timeoutMs: FILE_TIMEOUT_MS,
  primaryArg: 'file_path',
};

export const editDefinition: ToolDefinition = {
  name: 'edit',
  description:
    'Replaces one exact piece of a UTF-8 text file and leaves every other byte as it is. old_string must occur exactly once: quote enough lines around it, with their indentation.',
  inputSchema: object(
    {
      ...filePath,
      old_string: text('The text to replace, exactly as in the file. LF also matches CRLF.'),
      new_string: text('The text to put there, taken literally.'),
      replace_all: flag('Replace every occurrence instead of requiring exactly one; default false.'),
    },
    ['old_string', 'new_string'],
  ),
  annotations: { title: 'Edit', readOnlyHint: false, destructiveHint: true, openWorldHint: false },
  timeoutMs: FILE_TIMEOUT_MS,
  primaryArg: 'file_path',
};

export const bashDefinition: ToolDefinition = {
  name: 'bash',
  description:
    'Runs a shell command in the first workspace directory and returns its output and exit code. Standard input is empty. Background processes are ended when the command returns.',
  inputSchema: object(
    {
      command: text('The command line.'),
      timeout: count(
        `Milliseconds after which the command is stopped; default ${DEFAULT_COMMAND_TIMEOUT_MS}, at most ${MAX_COMMAND_TIMEOUT_MS}.`,
        1,
      ),
      description: text('What the command does, in five to ten words, for the user.'),
    },
    ['command'],
  ),
  annotations: { title: 'Bash', readOnlyHint: false, destructiveHint: true, openWorldHint: true },
  primaryArg: 'command',
};

export const globDefinition: ToolDefinition = {
  name: 'glob',
  description:
    'Lists files whose path matches a glob, sorted, without those that .gitignore leaves out. `*.ts` is one folder, `**/*.ts` all below it.',
  inputSchema: object(
    {
      pattern: text('The glob, such as src/**/*.{ts,tsx}.'),
      path: text('The folder that the pattern is relative to; default the first workspace directory.'),
    },
    ['pattern'],
  ),
  annotations: { title: 'Glob', readOnlyHint: true, openWorldHint: false },
  timeoutMs: FILE_TIMEOUT_MS,
  primaryArg: 'pattern',
};

export const grepDefinition: ToolDefinition = {
  name: 'grep',
  description:
    'Searches text files line by line for a JavaScript regular expression, without those that .gitignore leaves out. Shows path:line:text.',
  inputSchema: object(
    {
      pattern: text('The regular expression.'),
      path: text('The file or folder to search; default the first workspace directory.'),
      glob: text('Only files that match this glob; without a slash it is about the name alone, such as *.ts.'),
      ignore_case: flag('Upper and lower case are the same; default false.'),
      context: count(`Lines to show before and after each match; default 0, at most ${MAX_CONTEXT_LINES}.`, 0),
      max_matches: count(
        `Stop after so many matching lines; default ${DEFAULT_MAX_MATCHES}, at most ${MAX_MATCHES}.`,
        1,
      ),
    },
    ['pattern'],
  ),
  annotations: { title: 'Grep', readOnlyHint: true, openWorldHint: false },
  timeoutMs: FILE_TIMEOUT_MS,
  primaryArg: 'pattern',
};
