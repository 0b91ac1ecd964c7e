import { isJsonObject, type JsonObject } from '@toolpost/protocol';

/** The arguments of a call as a model wrote them; undefined where they are no object, such as while they are written. */
export function parsedObject(argumentsText: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(argumentsText);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The file that a call is about, by the arguments in which such a thing is named; empty for none. */
export function pathOfArguments(argumentsText: string): string {
  const { file_path, path, file } = parsedObject(argumentsText) ?? {};
  const named = file_path ?? path ?? file;
  return typeof named === 'string' ? named : '';
}
