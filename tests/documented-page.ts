import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export const repository = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

/** A file that a page shows, or a command with the output that the page promises. */
type PagePart =
  | { readonly kind: 'file'; readonly path: string; readonly text: string }
  | { readonly kind: 'command'; readonly command: string; readonly output: string };

interface Page {
  /** In the order of the page. */
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
  const parts: PagePart[] = [];
  const unchecked: string[] = [];
  for (const { groups = {} } of readFileSync(path.join(repository, name), 'utf8').matchAll(BLOCK)) {
    const { before = '', language, text = '' } = groups;
    const file = FILE_NAME.exec(before)?.groups?.name;
    if (language === 'console') parts.push(...readConsole(text));
    else if (file !== undefined) parts.push({ kind: 'file', path: file, text });
    else unchecked.push(text.split('\n', 1)[0] ?? '');
  }
  return { parts, unchecked };
}

function readConsole(block: string): PagePart[] {
  const steps = block.split(/^\$ /m).slice(1);
  return steps.map((step) => {
    const end = step.indexOf('\n');
    return { kind: 'command', command: step.slice(0, end), output: step.slice(end + 1) };
  });
}

/** Writes a part that is a file into a directory; leaves others alone. */
function writePart(dir: string, part: PagePart): void {
  if (part.kind !== 'file') return;
  const file = path.join(dir, part.path);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, part.text);
}

/** Links packages of this repository into a directory, in place of the `npm install` that a page names. */
function linkPackages(dir: string, names: readonly string[]): void {
  for (const name of names) {
    const link = path.join(dir, 'node_modules', name);
    mkdirSync(path.dirname(link), { recursive: true });
    symlinkSync(realpathSync(path.join(repository, 'node_modules', name)), link);
  }
}

function makeTempDir(): string {
  return realpathSync(mkdtempSync(path.join(tmpdir(), 'toolpost-docs-')));
}

/** One command of a page, with the output that the page shows and the one that it has. */
interface PlayedCommand {
  readonly command: string;
  readonly output: string;
  readonly answer: string;
}

/**
 * Plays a page for a user who has an empty home, an empty directory and the command: writes its files and runs its
 * commands, in the order of the page. `packages` are those that the page says to install.
 */
export async function playPage(name: string, packages: readonly string[] = []): Promise<PlayedCommand[]> {
  const base = makeTempDir();
  const work = path.join(base, 'work');
  mkdirSync(work);
  linkPackages(work, packages);
  const run = createShell(base, work);
  const played: PlayedCommand[] = [];
  for (const part of readPage(name).parts) {
    writePart(work, part);
    if (part.kind !== 'command') continue;
    const { command, output } = part;
    played.push({ command, output, answer: await run(command) });
  }
  rmSync(base, { recursive: true, force: true });
  return played;
}

/** Runs lines in a shell; each gives what a person would see: both outputs, in their order. */
function createShell(base: string, work: string): (command: string) => Promise<string> {
  const bin = path.join(base, 'bin');
  mkdirSync(bin);
  symlinkSync(path.join(repository, 'packages/cli/bin/toolpost.js'), path.join(bin, 'toolpost'));
  const TOOLPOST_HOME = path.join(base, 'home');
  const PATH = [bin, path.dirname(process.execPath), process.env.PATH].join(path.delimiter);
  const options = { cwd: work, env: { PATH, HOME: base, TOOLPOST_HOME } };
  return (command) =>
    new Promise((resolve) => {
      const child = execFile('sh', ['-c', `exec 2>&1; ${command}`], options, (_error, output) =>
        resolve(output.replaceAll(work, '/home/ann/work').replaceAll(TOOLPOST_HOME, '/home/ann/toolpost')),
      );
      child.stdin?.end();
    });
}

/** The same text without what differs from run to run: times and ids. */
export function timeless(text: string): string {
  return text
    .replaceAll(/\d{4}-\d\d-\d\d(?:T[\d:.]+Z)?/g, 'TIME')
    .replaceAll(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, 'ID')
    .replaceAll(/\b\d+(?:\.\d+)? (?:ms|s)\b/g, 'N ms')
    .replaceAll(/"(at|durationMs)":[\d.]+/g, '"$1":N')
    .trimEnd();
}

/** What the compiler says about files, as strictly as about our own. `packages` are those that they may import. */
export async function typeErrorsOf(files: readonly PagePart[], packages: readonly string[]): Promise<string> {
  const dir = makeTempDir();
  const compilerOptions = { composite: false, noEmit: true, rewriteRelativeImportExtensions: false, types: ['node'] };
  const config = { extends: path.join(repository, 'tsconfig.base.json'), compilerOptions };
  writeFileSync(path.join(dir, 'package.json'), '{"type":"module"}');
  writeFileSync(path.join(dir, 'tsconfig.json'), JSON.stringify(config));
  for (const file of files) writePart(dir, file);
  linkPackages(dir, [...new Set([...packages, 'zod', '@types/node'])]);
  const tsc = path.join(repository, 'node_modules/typescript/bin/tsc');
  const { stdout } = await promisify(execFile)(process.execPath, [tsc, '-p', dir]).catch((error) => error);
  rmSync(dir, { recursive: true, force: true });
  return stdout;
}
