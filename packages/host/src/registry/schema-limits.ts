import type { JsonSchema } from '@toolpost/protocol';

const MAX_DEPTH = 64;
const MAX_NODES = 20_000;
const MAX_TEXT = 1_000_000;

/**
 * Whether a schema from outside is small and shallow enough to compile: Ajv and providers recurse, so a schema of
 * 10,000 levels would overflow the stack of whoever touches it. Walks without recursion.
 * @returns why it is refused, or undefined.
 */
export function schemaLimitProblem(schema: JsonSchema): string | undefined {
  let level: unknown[] = [schema];
  let nodes = 0;
  let text = 0;
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return `it is nested more than ${MAX_DEPTH} levels deep`;
    nodes += level.length;
    if (nodes > MAX_NODES) return `it has more than ${MAX_NODES} parts`;
    const next: unknown[] = [];
    for (const value of level) {
      if (typeof value === 'string') text += value.length;
      else if (typeof value === 'object' && value !== null) for (const item of Object.values(value)) next.push(item);
    }
    if (text > MAX_TEXT) return `its texts are longer than ${MAX_TEXT} characters`;
    level = next;
  }
  return undefined;
}
