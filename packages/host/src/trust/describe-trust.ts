import { quoteValue } from '@toolpost/protocol';
import type { TrustCheck } from './trust-store.ts';

const MAX_NAMES = 6;

/** The one line that says which project files are ignored, and what to do. Undefined when none is. */
export function describeTrust(check: TrustCheck): string | undefined {
  if (check.status === 'refused') return `ignored project files: ${check.error.message}`;
  if (check.status !== 'unknown' && check.status !== 'changed') return undefined;
  const root = plainOrQuoted(check.files.root);
  const [reason, names] =
    check.status === 'changed'
      ? ['because changed since trusted', check.changes]
      : ['until trusted', Object.keys(check.files.hashes)];
  return `ignored ${reason}, in ${root}: ${listNames(names)}; after reading them: toolpost trust ${root}`;
}

/** Single files by name, the files of one plugin together. */
function listNames(names: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const name of names) {
    const group = name.split('/').slice(0, 3).join('/');
    counts.set(group, (counts.get(group) ?? 0) + 1);
  }
  const groups = [...counts].map(([name, count]) => `${plainOrQuoted(name)}${count > 1 ? ` (${count} files)` : ''}`);
  const more = groups.length > MAX_NAMES ? ` and ${groups.length - MAX_NAMES} more` : '';
  return groups.slice(0, MAX_NAMES).join(', ') + more;
}

/** File names may hold line ends and anything else; a message stays one line. */
function plainOrQuoted(name: string): string {
  return /^[\p{L}\p{N}./_@+-]+$/u.test(name) ? name : quoteValue(name);
}
