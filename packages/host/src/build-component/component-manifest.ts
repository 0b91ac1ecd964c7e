import { isJsonObject, type JsonObject } from '@toolpost/protocol';

/** Keys that say how the source is run, in both spellings. A component has one way. */
const SOURCE_KEYS = new Set([
  'runtime',
  'entry',
  'entryWindows',
  'entryDarwin',
  'entryLinux',
  'entry_windows',
  'entry_darwin',
  'entry_linux',
  'executable',
  'args',
]);

/** The manifest of the component: that of its source, run another way. */
export function componentManifest(source: JsonObject, file: string): JsonObject {
  const { id, name, version, description, ...rest } = source;
  const kept = Object.entries(rest).filter(([key]) => !SOURCE_KEYS.has(key));
  const head = Object.entries({ id, name, version, description }).filter(([, value]) => value !== undefined);
  return Object.fromEntries([...head, ['runtime', 'wasm'], ['entry', file], ...kept]);
}

/** A manifest that was read before is an object. */
export function parseManifestText(text: string): JsonObject {
  const value: unknown = JSON.parse(text.replace(/^\ufeff/, ''));
  return isJsonObject(value) ? value : {};
}
