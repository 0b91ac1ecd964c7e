const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const FIRST_PRINTABLE = 0x20;
const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};
/** Deeper than any arguments that a call may have. */
const MAX_DEPTH = 1000;

type Place = 'value' | 'first-key' | 'key' | 'colon' | 'after-value' | 'string' | 'scalar' | 'end' | 'broken';

/**
 * Reads one text out of a JSON object that comes in pieces: the value of the key at `path`, as far as it has come. It is
 * what `JSON.parse` would give for the key once the whole is there, also when the key stands there twice, and nothing for
 * a value that is no text. Each character is looked at once; what is no JSON ends the reading.
 */
export class StreamedText {
  readonly #path: readonly string[];
  #place: Place = 'value';
  /** The objects and lists around the place: true for an object. */
  readonly #around: boolean[] = [];
  /** How many of the innermost objects' keys lead along the path, from the top. */
  #matched = 0;
  /** Whether the value that comes next is the one at the next step of the path. */
  #isOnPath = false;
  /** What the string under way is kept as; undefined for one that is skipped. */
  #taking: 'key' | 'text' | undefined;
  #isKey = false;
  #key = '';
  /** An escape under way: its characters behind the backslash. */
  #escape: string | undefined;
  #text = '';

  constructor(path: readonly string[]) {
    this.#path = path;
  }

  /** What has come of the text, with half a surrogate pair at its end where the other half has not come. */
  get text(): string {
    return this.#text;
  }

  push(chunk: string): void {
    for (let at = 0; at < chunk.length && this.#place !== 'broken'; ) {
      at = this.#place === 'string' ? this.#readString(chunk, at) : this.#readSign(chunk, at);
    }
  }

  #readSign(chunk: string, at: number): number {
    const sign = chunk[at] ?? '';
    if (this.#place === 'scalar') {
      if (/[^\s,\]}]/.test(sign)) return at + 1;
      this.#place = 'after-value';
    }
    if (!/[\s\uFEFF]/.test(sign)) this.#place = this.#after(sign);
    return at + 1;
  }

  /** Where a sign leads that is no white space. */
  #after(sign: string): Place {
    switch (this.#place) {
      case 'value':
        return this.#beginValue(sign);
      case 'first-key':
      case 'key':
        if (sign === '"') return this.#beginString(true);
        return sign === '}' && this.#place === 'first-key' ? this.#leave(true) : 'broken';
      case 'colon':
        return sign === ':' ? 'value' : 'broken';
      case 'after-value':
        if (sign === ',') return this.#around.at(-1) ? 'key' : 'value';
        return sign === '}' || sign === ']' ? this.#leave(sign === '}') : 'broken';
      default:
        return 'broken';
    }
  }

  #beginValue(sign: string): Place {
    const isOnPath = this.#isOnPath;
    this.#isOnPath = false;
    if (sign === '"') {
      if (isOnPath && this.#matched === this.#path.length - 1) this.#taking = 'text';
      return this.#beginString(false);
    }
    if (sign === '{' || sign === '[') return this.#enter(sign === '{', isOnPath);
    if (sign === ']' && this.#around.at(-1) === false) return this.#leave(false);
    return /[-\w]/.test(sign) ? 'scalar' : 'broken';
  }

  #enter(isObject: boolean, isOnPath: boolean): Place {
    if (this.#around.length === MAX_DEPTH) return 'broken';
    if (isObject && isOnPath && this.#matched < this.#path.length - 1) this.#matched += 1;
    this.#around.push(isObject);
    return isObject ? 'first-key' : 'value';
  }

  #leave(isObject: boolean): Place {
    if (this.#around.pop() !== isObject) return 'broken';
    if (this.#around.length <= this.#matched && this.#matched > 0) this.#matched -= 1;
    return this.#around.length === 0 ? 'end' : 'after-value';
  }

  #beginString(isKey: boolean): Place {
    this.#isKey = isKey;
    this.#key = '';
    if (isKey && this.#around.length === this.#matched + 1) this.#taking = 'key';
    return 'string';
  }

  /** Reads on in a string, to its end or the chunk's. Returns where it stopped. */
  #readString(chunk: string, from: number): number {
    if (this.#escape !== undefined) return this.#readEscape(chunk, from);
    let at = from;
    for (; at < chunk.length; at++) {
      const code = chunk.charCodeAt(at);
      if (code === QUOTE || code === BACKSLASH || code < FIRST_PRINTABLE) break;
    }
    if (at > from) this.#take(chunk.slice(from, at));
    if (at === chunk.length) return at;
    const code = chunk.charCodeAt(at);
    if (code === BACKSLASH) this.#escape = '';
    else this.#place = code === QUOTE ? this.#endString() : 'broken';
    return at + 1;
  }

  #readEscape(chunk: string, at: number): number {
    const read = this.#escape + (chunk[at] ?? '');
    const simple = ESCAPES[read];
    this.#escape = undefined;
    if (simple !== undefined) this.#take(simple);
    else if (/^u[\da-f]{4}$/i.test(read)) this.#take(String.fromCharCode(Number.parseInt(read.slice(1), 16)));
    else if (/^u[\da-f]{0,3}$/i.test(read)) this.#escape = read;
    else this.#place = 'broken';
    return at + 1;
  }

  #take(piece: string): void {
    if (this.#taking === 'text') this.#text += piece;
    // A key that is longer than the one that is looked for is another one.
    else if (this.#taking === 'key' && this.#key.length <= this.#wanted.length) this.#key += piece;
  }

  #endString(): Place {
    const { key, isKey } = { key: this.#key, isKey: this.#isKey };
    const isCompared = this.#taking === 'key';
    this.#taking = undefined;
    if (!isKey) return this.#around.length === 0 ? 'end' : 'after-value';
    this.#isOnPath = isCompared && key === this.#wanted;
    // Of a key that stands there twice the last one counts, whatever its value is.
    if (this.#isOnPath) this.#text = '';
    return 'colon';
  }

  get #wanted(): string {
    return this.#path[this.#matched] ?? '';
  }
}
