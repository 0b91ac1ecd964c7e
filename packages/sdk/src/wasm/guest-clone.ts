/**
 * `structuredClone` of a component: plain objects, lists, dates, maps, sets, errors and bytes, also in circles.
 * @throws DOMException DataCloneError for a function or a symbol.
 */
export function guestClone<T>(value: T): T {
  return cloneOf(value, new Map()) as T;
}

function cloneOf(value: unknown, seen: Map<object, unknown>): unknown {
  if (typeof value === 'function' || typeof value === 'symbol') {
    throw new DOMException(`${String(value)} could not be cloned`, 'DataCloneError');
  }
  if (typeof value !== 'object' || value === null) return value;
  if (seen.has(value)) return seen.get(value);
  const keep = <Copy extends object>(copy: Copy): Copy => {
    seen.set(value, copy);
    return copy;
  };
  if (value instanceof Date) return keep(new Date(value));
  if (value instanceof ArrayBuffer) return keep(value.slice(0));
  if (value instanceof Uint8Array) return keep(value.slice());
  if (value instanceof Map) {
    const copy = keep(new Map());
    for (const [key, item] of value) copy.set(cloneOf(key, seen), cloneOf(item, seen));
    return copy;
  }
  if (value instanceof Set) {
    const copy = keep(new Set());
    for (const item of value) copy.add(cloneOf(item, seen));
    return copy;
  }
  const copy = keep(value instanceof Error ? new Error(value.message) : Array.isArray(value) ? [] : {});
  for (const [key, item] of Object.entries(value)) Reflect.set(copy, key, cloneOf(item, seen));
  return copy;
}
