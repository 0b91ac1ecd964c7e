import { existsSync, statSync } from 'node:fs';
import path from 'node:path';

/** An import of a file that is not there. */
export interface MissingFile {
  readonly importer: string;
  /** The import, as the importer could write it. */
  readonly written: string;
  /** What stands in its place, as the importer has to write it; undefined when nothing does. */
  readonly found: string | undefined;
}

const ENDINGS = ['.ts', '.js', '.mts', '.mjs', '.cts', '.cjs', '.json'];
/** What TypeScript's compiler would make of a file, which is not made here. */
const COMPILED = /\.([mc]?)js$/;

/**
 * Reads what Node says about a module that was not found: nothing for a package, else which file was meant. Node wants
 * the whole name of a file; compilers and bundlers do without.
 */
export function fileMeantBy(text: string): MissingFile | undefined {
  const esm = /^(?:Cannot find module|Directory import) '(.+?)' (?:is not supported .*)?imported from (.+)$/m.exec(
    text,
  );
  const commonJs = /^Cannot find module '(\.{1,2}\/.*)'\nRequire stack:\n- (.+)$/m.exec(text);
  const [, wanted, importer] = esm ?? commonJs ?? [];
  if (wanted === undefined || importer === undefined) return undefined;
  const folder = path.dirname(importer);
  const target = path.resolve(folder, wanted);
  const found = candidates(target).find(isFile);
  return { importer, written: `'${asImport(folder, target)}'`, found: found && asImport(folder, found) };
}

function candidates(target: string): string[] {
  const sources = COMPILED.test(target) ? [target.replace(COMPILED, '.$1ts')] : [];
  const longer = ENDINGS.map((ending) => target + ending);
  const inFolder = ENDINGS.map((ending) => path.join(target, `index${ending}`));
  return [...sources, ...longer, ...inFolder];
}

function isFile(file: string): boolean {
  return existsSync(file) && statSync(file).isFile();
}

function asImport(folder: string, file: string): string {
  const relative = path.relative(folder, file).split(path.sep).join('/');
  return relative.startsWith('.') ? relative : `./${relative}`;
}
