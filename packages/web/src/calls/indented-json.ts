/** JSON as a person reads it; a text that is none as it is. */
export function indentedJson(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2);
  } catch {
    return json;
  }
}
