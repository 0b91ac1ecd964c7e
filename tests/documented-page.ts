import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

/** A file that a page shows, or a command with the output that the page promises, in the order of the page. */
type PagePart =
  | { readonly kind: 'file'; readonly path: string; readonly text: string }
  | { readonly kind: 'command'; readonly command: string; readonly output: string };

interface Page {
  readonly parts: readonly PagePart[];
  /** The first lines of code blocks that are neither: nothing checks them. */
  readonly unchecked: readonly string[];
}

const BLOCK = /(?:^(?<before>[^\n]*)\n\n)?^```(?<language>\w*)\n(?<text>[\s\S]*?)^```$/gm;
const FILE_NAME = /`(?<name>[\w./-]+)`:$/;

/**
 * Reads a page of the documentation. A block after a line that ends with a file's name and a colon is that file; a
 * block of language `console` holds commands after `$ `, each with its output below it.
 */
export function readPage(name: string): Page {
  const text = readFileSync(path.join(root, name), 'utf8');
  const parts: PagePart[] = [];
  const unchecked: string[] = [];
  for (const { groups } of text.matchAll(BLOCK)) {
    const { before = '', language = '', text: block = '' } = groups ?? {};
    const file = FILE_NAME.exec(before)?.groups?.name;
    if (language === 'console') parts.push(...readConsole(block));
    else if (file !== undefined) parts.push({ kind: 'file', path: file, text: block });
    else unchecked.push(block.split('\n', 1)[0] ?? '');
  }
  return { parts, unchecked };
}

function readConsole(block: string): PagePart[] {
  return block
    .split(/^\$ /m)
    .slice(1)
    .map((step) => {
      const end = /(?<!\\)\n/.exec(step)?.index ?? step.length;
      return { kind: 'command', command: step.slice(0, end), output: step.slice(end + 1).trimEnd() };
    });
}

/** An empty directory of a user who has nothing but the command and the packages that a page says to install. */
interface UserDirectory {
  write(file: string, text: string): void;
  /** Runs a line in a shell and gives what a person would see: both outputs, in their order. */
  run(command: string): Promise<string>;
  remove(): void;
}

function createUserDirectory({ packages = [] }: { packages?: readonly string[] } = {}): UserDirectory {
  const base = realpathSync(mkdtempSync(path.join(tmpdir(), 'toolpost-docs-')));
  const work = path.join(base, 'work');
  const bin = path.join(base, 'bin');
  for (const dir of [work, bin]) mkdirSync(dir);
  symlinkSync(path.join(root, 'packages/cli/bin/toolpost.js'), path.join(bin, 'toolpost'));
  for (const name of packages) {
    const link = path.join(work, 'node_modules', name);
    mkdirSync(path.dirname(link), { recursive: true });
    symlinkSync(realpathSync(path.join(root, 'node_modules', name)), link);
  }
  const env = {
    PATH: [bin, path.dirname(process.execPath), process.env.PATH].join(path.delimiter),
    HOME: base,
    TOOLPOST_HOME: path.join(base, 'home'),
  };
  return {
    write(file, text) {
      mkdirSync(path.dirname(path.join(work, file)), { recursive: true });
      writeFileSync(path.join(work, file), text);
    },
    run: (command) =>
      new Promise((resolve) => {
        const child = execFile('sh', ['-c', `exec 2>&1; ${command}`], { cwd: work, env }, (_error, stdout) =>
          resolve(stdout.replaceAll(work, '/home/ann/work').replaceAll(env.TOOLPOST_HOME, '/home/ann/toolpost')),
        );
        child.stdin?.end();
      }),
    remove: () => rmSync(base, { recursive: true, force: true }),
  };
}

/**
 * Plays a page in an empty directory: writes its files and runs its commands, in the order of the page. Gives the
 * console as the page shows it and as it was, both without what differs from run to run. `packages` are those that
 * the page says to install.
 */
export async function playPage(name: string, options: { packages?: readonly string[] } = {}) {
  const directory = createUserDirectory(options);
  let shown = '';
  let real = '';
  try {
    for (const part of readPage(name).parts) {
      if (part.kind === 'file') directory.write(part.path, part.text);
      else {
        shown += `$ ${part.command}\n${timeless(part.output)}\n`;
        real += `$ ${part.command}\n${timeless(await directory.run(part.command))}\n`;
      }
    }
  } finally {
    directory.remove();
  }
  return { shown, real };
}

/** The same text without what differs from run to run: times, ids and numbers of processes. */
function timeless(text: string): string {
  return text
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replaceAll(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, 'ID')
    .replaceAll(/\b\d+(?:\.\d+)? (?:ms|s)\b/g, 'N ms')
    .replaceAll(/"(at|durationMs)":[\d.]+/g, '"$1":N')
    .trimEnd();
}
