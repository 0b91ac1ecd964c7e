/** What a JSON Pointer (RFC 6901, also percent-encoded as in a URI's fragment) points to within a value; undefined when nothing. */
export function atPointer(root: unknown, pointer: string): unknown {
  return pointer.split('/').slice(1).map(decodePart).reduce<unknown>(ownValue, root);
}

function ownValue(holder: unknown, key: string): unknown {
  const isHolder = typeof holder === 'object' && holder !== null;
  return isHolder && Object.hasOwn(holder, key) ? Reflect.get(holder, key) : undefined;
}

function decodePart(part: string): string {
  const plain = part.replaceAll('~1', '/').replaceAll('~0', '~');
  try {
    return decodeURIComponent(plain);
  } catch {
    return plain;
  }
}
