import { isJsonObject } from '@toolpost/protocol';

/**
 * The raw arguments of a call whose schema was wrapped, without the wrapper. Text that is not the wrapper stays as it is:
 * a model that gave the input itself is understood too, and what is malformed is reported as it came.
 */
export function unwrapArguments(raw: string, wrappedIn: string): string {
  try {
    const value: unknown = JSON.parse(raw);
    if (isJsonObject(value) && Object.hasOwn(value, wrappedIn) && Object.keys(value).length === 1)
      return JSON.stringify(value[wrappedIn]);
  } catch {
    // Not JSON: the call path says so.
  }
  return raw;
}
