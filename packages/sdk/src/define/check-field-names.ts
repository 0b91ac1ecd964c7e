import { type JsonObject, nearNames } from '@toolpost/protocol';

const FIELDS = [
  'name',
  'title',
  'description',
  'inputSchema',
  'outputSchema',
  'annotations',
  'primaryArg',
  'ui',
  'channels',
  'timeout',
  'concurrency',
  'execute',
  'preview',
];
/** `contextSchema` is the AI SDK's, and near one of ours. */
const KNOWN = new Set([...FIELDS, 'def', 'contextSchema']);

/** What other libraries, and Toolpost elsewhere, call a field. */
const OTHER_NAMES = new Map([
  ...['run', 'handler', 'handle', 'call', 'exec', 'fn', 'func', 'function', 'invoke', 'callback'].map(
    (name) => [name, 'execute'] as const,
  ),
  ...['parameters', 'params', 'schema'].map((name) => [name, 'inputSchema'] as const),
]);
/** Two fields of few letters are near one another by chance. */
const SHORTEST_SLIP = 4;

/**
 * A field under a wrong name would be missed only by the model. An object may hold more than a tool's fields, so one is
 * wrong only where the field that it stands for is missing.
 * @throws TypeError that names both.
 */
export function checkFieldNames(options: JsonObject): void {
  for (const [field, value] of Object.entries(options)) {
    if (KNOWN.has(field) || value === undefined || value === null) continue;
    const meant = fieldMeantBy(field, value);
    if (meant === undefined || (options[meant] ?? undefined) !== undefined) continue;
    const missing = meant === 'execute' ? 'execute is missing; ' : '';
    throw new TypeError(`${missing}unknown field ${JSON.stringify(field)}: did you mean ${JSON.stringify(meant)}?`);
  }
}

function fieldMeantBy(field: string, value: unknown): string | undefined {
  const other = OTHER_NAMES.get(field);
  if (other === 'execute') return typeof value === 'function' ? other : undefined;
  if (other !== undefined) return typeof value === 'object' || typeof value === 'function' ? other : undefined;
  return field.length < SHORTEST_SLIP ? undefined : nearNames(field, FIELDS)[0];
}
