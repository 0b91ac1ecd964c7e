import { editDistance } from '@toolpost/protocol';
import { foldName } from './fold-name.ts';

const MAX_SUGGESTIONS = 3;
/** A name that a model made up may be of any length; no tool's is longer than this. */
const MAX_COMPARED = 256;

/** Up to three names near to one that does not exist, nearest first: other spelling, a part of it, or a slip. */
export function suggestNames(name: string, names: Iterable<string>): string[] {
  const wanted = foldName(name.slice(0, MAX_COMPARED));
  if (wanted === '') return [];
  const allowed = Math.max(1, Math.floor(wanted.length / 3));
  const near: { name: string; distance: number }[] = [];
  for (const candidate of names) {
    const distance = nameDistance(wanted, foldName(candidate), allowed);
    if (distance <= allowed) near.push({ name: candidate, distance });
  }
  near.sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1));
  return near.slice(0, MAX_SUGGESTIONS).map((entry) => entry.name);
}

function nameDistance(wanted: string, candidate: string, allowed: number): number {
  const [a, b] = [letters(wanted), letters(candidate)];
  if (a === b) return 0;
  if (a.length >= 3 && b.length >= 3 && (b.includes(a) || a.includes(b))) return 0.5;
  return Math.abs(a.length - b.length) > allowed ? Number.POSITIVE_INFINITY : editDistance(a, b);
}

/** `read_file`, `readFile` and `read.file` are one spelling. */
function letters(name: string): string {
  return name.replace(/[^\p{L}\p{N}]/gu, '') || name;
}
