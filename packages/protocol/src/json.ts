/** A JSON object as it crosses a boundary: keys are text, values are JSON. */
export type JsonObject = Record<string, unknown>;

/** A JSON Schema. Draft 2020-12 unless its `$schema` says draft-07. */
export type JsonSchema = JsonObject;

/** Whether a value is a JSON object: not null, not an array. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
