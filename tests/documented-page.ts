import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const repository = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

/** A file that a page shows, or a command with the output that the page promises. */
export type PagePart =
  | { readonly kind: 'file'; readonly path: string; readonly text: string }
  | { readonly kind: 'command'; readonly command: string; readonly output: string };

export interface Page {
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
export function writePart(dir: string, part: PagePart): void {
  if (part.kind !== 'file') return;
  const file = path.join(dir, part.path);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, part.text);
}

/** Links packages of this repository into a directory, in place of the `npm install` that a page names. */
export function linkPackages(dir: string, names: readonly string[]): void {
  for (const name of names) {
    const link = path.join(dir, 'node_modules', name);
    mkdirSync(path.dirname(link), { recursive: true });
    symlinkSync(realpathSync(path.join(repository, 'node_modules', name)), link);
  }
}

export function makeTempDir(): string {
  return realpathSync(mkdtempSync(path.join(tmpdir(), 'toolpost-docs-')));
}

/**
 * Plays a page for a user who has an empty home, an empty directory and the command: writes its files and runs its
 * commands, in the order of the page. Gives the console as the page shows it and as it was, both without what differs
 * from run to run.
 */
export async function playPage(name: string, { packages = [] }: { packages?: readonly string[] } = {}) {
  const base = makeTempDir();
  const work = path.join(base, 'work');
  mkdirSync(work);
  linkPackages(work, packages);
  const run = createShell(base, work);
  const session = { shown: '', real: '' };
  for (const part of readPage(name).parts) {
    writePart(work, part);
    if (part.kind !== 'command') continue;
    session.shown += `$ ${part.command}\n${timeless(part.output)}\n`;
    session.real += `$ ${part.command}\n${timeless(await run(part.command))}\n`;
  }
  rmSync(base, { recursive: true, force: true });
  return session;
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

function timeless(text: string): string {
  return text
    .replaceAll(/\d{4}-\d\d-\d\d(?:T[\d:.]+Z)?/g, 'TIME')
    .replaceAll(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, 'ID')
    .replaceAll(/\b\d+(?:\.\d+)? (?:ms|s)\b/g, 'N ms')
    .replaceAll(/"(at|durationMs)":[\d.]+/g, '"$1":N')
    .trimEnd();
}
