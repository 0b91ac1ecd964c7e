/** Far from where the recursion of validators, hashes and JSON writers overflows the stack. */
export const MAX_ARGUMENTS_DEPTH = 200;

/** Whether objects and lists lie in one another more than `levels` deep. Itself recurses no deeper. */
export function isNestedDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  for (const item of Object.values(value)) if (isNestedDeeper(item, levels - 1)) return true;
  return false;
}
