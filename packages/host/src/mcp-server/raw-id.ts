/**
 * The `id` of a JSON-RPC message as it stands in the text, so that it can be echoed byte for byte: `1.0`, a number past
 * 2^53 and `"\u0061"` come back as they were sent. `id` is the parsed one.
 */
export function rawIdOf(text: string, id: string | number): string {
  const plain = typeof id === 'number' ? String(id) : JSON.stringify(id);
  const at = text.indexOf(KEY);
  const after = at + KEY.length + 1 + plain.length;
  const isPlain = text[at + KEY.length] === ':' && text.startsWith(plain, at + KEY.length + 1);
  // Nearly every message: the key stands there once, and its value is what JSON.stringify would write.
  if (isPlain && (text[after] === ',' || text[after] === '}') && text.indexOf(KEY, after) === -1) return plain;
  return lastRawId(text) ?? plain;
}

const KEY = '"id"';

/** Walks over the members of the outermost object; of two `id`s the last one counts, as for JSON.parse. */
function lastRawId(text: string): string | undefined {
  let found: string | undefined;
  let at = text.indexOf('{') + 1;
  while (at < text.length) {
    at = skipBlanks(text, at);
    if (text[at] === '}') return found;
    const keyEnd = endOfString(text, at);
    const start = skipBlanks(text, skipBlanks(text, keyEnd) + 1);
    const end = endOfValue(text, start);
    if (JSON.parse(text.slice(at, keyEnd)) === 'id') found = text.slice(start, end);
    at = skipBlanks(text, end) + 1;
  }
  return found;
}

function skipBlanks(text: string, from: number): number {
  let at = from;
  while (at < text.length && text.charCodeAt(at) <= 0x20) at++;
  return at;
}

/** Behind the closing quote of the string that starts at `from`. */
function endOfString(text: string, from: number): number {
  let at = from + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}

function endOfValue(text: string, from: number): number {
  if (text[from] === '"') return endOfString(text, from);
  let depth = 0;
  let at = from;
  while (at < text.length) {
    const character = text[at];
    if (character === '"') {
      at = endOfString(text, at);
      continue;
    }
    if (depth === 0 && (character === ',' || character === '}' || text.charCodeAt(at) <= 0x20)) return at;
    if (character === '{' || character === '[') depth++;
    if (character === '}' || character === ']') {
      depth--;
      if (depth === 0) return at + 1;
    }
    at++;
  }
  return at;
}
