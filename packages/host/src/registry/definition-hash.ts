import { createHash } from 'node:crypto';
import type { ToolDefinition } from '@toolpost/protocol';
import { canonicalSchemaJson } from './canonical-json.ts';

const hashes = new WeakMap<ToolDefinition, string>();

/**
 * SHA-256 (hex) over everything of a definition that a person or a model judges it by. An approval that was bound to
 * it does not cover the same tool after its description or schema changed. Members' order does not count.
 * The definition must not change afterwards: the registry's definitions are frozen.
 */
export function definitionHash(definition: ToolDefinition): string {
  const known = hashes.get(definition);
  if (known !== undefined) return known;
  const { name, title, description, inputSchema, outputSchema, annotations, primaryArg } = definition;
  const judged = { name, title, description, inputSchema, outputSchema, annotations, primaryArg };
  const hash = createHash('sha256').update(canonicalSchemaJson(judged)).digest('hex');
  hashes.set(definition, hash);
  return hash;
}
