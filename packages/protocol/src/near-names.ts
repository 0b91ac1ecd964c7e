import { editDistance } from './edit-distance.ts';

/** Longer names are compared by their beginning: the work is bounded whatever a document holds. */
const COMPARED_LENGTH = 64;

/**
 * The names of `candidates` that were probably meant by `name`, nearest first, at most `limit`. Case, `_`, `-` and `.`
 * count for nothing; swapped neighbours count as one slip.
 */
export function nearNames(name: string, candidates: Iterable<string>, limit = 1): string[] {
  const wanted = plain(name);
  const near: { candidate: string; distance: number }[] = [];
  for (const candidate of candidates) {
    const other = plain(candidate);
    const allowed = Math.max(1, Math.floor(Math.min(wanted.length, other.length) / 3));
    if (Math.abs(wanted.length - other.length) > allowed) continue;
    const distance = editDistance(wanted, other);
    if (distance <= allowed) near.push({ candidate, distance });
  }
  near.sort((a, b) => a.distance - b.distance || (a.candidate < b.candidate ? -1 : 1));
  return near.slice(0, limit).map(({ candidate }) => candidate);
}

function plain(name: string): string {
  return name.slice(0, COMPARED_LENGTH).toLowerCase().replace(/[_.-]/g, '');
}
