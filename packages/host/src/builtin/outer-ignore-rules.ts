import { lstatSync, type Stats } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type IgnoreRules, parseIgnoreRules } from './ignore-rules.ts';
import { readIgnoreFile } from './read-ignore-file.ts';

/**
 * The rules of the `.gitignore` files around a root that is a folder within a repository, the outermost first, as git has
 * them there. Nothing else above the root is looked at. None where the root is a repository itself or lies in none.
 */
export function outerIgnoreRules(root: string): IgnoreRules[] {
  const frames: IgnoreRules[] = [];
  const owner = statsOf(root)?.uid;
  let lead = '';
  for (let folder = root; ; folder = dirname(folder)) {
    const marker = statsOf(join(folder, '.git'));
    if (folder !== root) {
      const text = readIgnoreFile(join(folder, '.gitignore'));
      if (text !== undefined) frames.unshift(parseIgnoreRules(text, { prefix: '', lead }));
    }
    if (marker !== undefined) return isTrusted(marker, owner) ? frames : [];
    if (dirname(folder) === folder) return [];
    lead = `${basename(folder)}/${lead}`;
  }
}

/** As for git: whoever may write to `/tmp` must not choose what a search in a folder below it leaves out. */
function isTrusted({ uid }: Stats, owner: number | undefined): boolean {
  return uid === owner || uid === process.getuid?.() || uid === 0;
}

function statsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
