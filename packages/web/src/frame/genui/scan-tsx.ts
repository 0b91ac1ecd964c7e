/** What is open at a place in TSX, innermost first. */
export interface Open {
  readonly kind: '(' | '[' | '{' | '`' | 'tag' | 'children';
  /** Of an element: '' for a fragment. */
  readonly name: string;
  /** Where it begins. */
  readonly start: number;
  readonly parent: Open | undefined;
}

/** A place where the code can be cut so that it probably still means something. */
export interface Cut {
  readonly at: number;
  readonly open: Open | undefined;
}

export interface Scan {
  readonly open: Open | undefined;
  /** What ends a text, a template or a comment that the code ends in; '' outside of them. */
  readonly ending: string;
  /** The last such places, in their order. */
  readonly cuts: readonly Cut[];
}

const MAX_CUTS = 16;
/** After these an expression begins, in which `<` opens an element and `/` a regular expression. */
const BEFORE_EXPRESSION =
  /(?:^|[(,=?:&|!{[;}>+\-*%~^]|\b(?:return|default|case|do|else|typeof|in|of|await|yield|void))$/;

/** Reads TSX that may end anywhere. It tells what is open, not whether the code is right: the compiler tells that. */
export function scanTsx(code: string): Scan {
  const scanner = new Scanner(code);
  while (scanner.position < code.length) scanner.step();
  return { open: scanner.open, ending: scanner.ending, cuts: scanner.cuts };
}

class Scanner {
  position = 0;
  open: Open | undefined;
  ending = '';
  readonly cuts: Cut[] = [];
  /** The end of what stands before, without spaces and comments. */
  #before = '';
  readonly #code: string;

  constructor(code: string) {
    this.#code = code;
  }

  step(): void {
    const kind = this.open?.kind;
    if (kind === 'children') this.#stepChildren();
    else if (kind === 'tag') this.#stepTag();
    else if (kind === '`') this.#stepTemplate();
    else this.#stepScript();
  }

  #push(kind: Open['kind'], name = ''): void {
    this.open = { kind, name, start: this.position, parent: this.open };
  }

  #pop(): void {
    this.open = this.open?.parent;
  }

  #cut(at: number): void {
    this.cuts.push({ at, open: this.open });
    if (this.cuts.length > MAX_CUTS) this.cuts.shift();
  }

  #take(length: number): void {
    this.#before = (this.#before + this.#code.slice(this.position, this.position + length)).slice(-12);
    this.position += length;
  }

  /** Goes behind the next `end`; where there is none, the code ends in it. */
  #skipTo(end: string, from: number, ending = end): void {
    const found = this.#code.indexOf(end, from);
    if (found === -1) this.ending = ending;
    this.position = found === -1 ? this.#code.length : found + end.length;
  }

  #skipQuoted(quote: string): void {
    let at = this.position + 1;
    while (at < this.#code.length && this.#code[at] !== quote && this.#code[at] !== '\n')
      at += this.#code[at] === '\\' ? 2 : 1;
    // A backslash at the very end would take the quote that closes it.
    if (at >= this.#code.length) this.ending = at > this.#code.length ? `\\${quote}` : quote;
    this.position = Math.min(at + 1, this.#code.length);
    this.#before = quote;
  }

  #stepScript(): void {
    const code = this.#code;
    const char = code[this.position] ?? '';
    if (/\s/.test(char)) {
      this.position += 1;
      if (/\w$/.test(this.#before)) this.#before += ' ';
    } else if (code.startsWith('//', this.position)) this.#skipTo('\n', this.position, '\n');
    else if (code.startsWith('/*', this.position)) this.#skipTo('*/', this.position + 2);
    else if (char === '"' || char === "'") this.#skipQuoted(char);
    else if (char === '`') this.#openBracket('`');
    else if (char === '(' || char === '[' || char === '{') this.#openBracket(char);
    else if (char === ')' || char === ']' || char === '}') this.#closeBracket();
    else if (char === '<' && this.#isExpected() && /^<[\w>]/.test(code.slice(this.position, this.position + 2)))
      this.#openTag();
    else if (char === '/' && this.#isExpected()) this.#skipRegExp();
    else this.#takeScript(char);
  }

  #isExpected(): boolean {
    return BEFORE_EXPRESSION.test(this.#before.trimEnd());
  }

  #takeScript(char: string): void {
    if (char === ',') this.#cut(this.position);
    this.#take(1);
    if (char === ';') this.#cut(this.position);
  }

  #openBracket(kind: '(' | '[' | '{' | '`'): void {
    this.#push(kind);
    this.#take(1);
  }

  #closeBracket(): void {
    if (this.open) this.#pop();
    this.#take(1);
    // Behind `${…}` and `{…}` of elements it goes on as text: nothing that stands before it counts there.
    if (this.open?.kind !== '`') this.#cut(this.position);
  }

  #skipRegExp(): void {
    let isClass = false;
    let at = this.position + 1;
    for (; at < this.#code.length && this.#code[at] !== '\n'; at += 1) {
      const char = this.#code[at];
      if (char === '\\') at += 1;
      else if (char === '[') isClass = true;
      else if (char === ']') isClass = false;
      else if (char === '/' && !isClass) break;
    }
    this.position = Math.min(at + 1, this.#code.length);
    this.#before = 'r';
  }

  #stepTemplate(): void {
    const char = this.#code[this.position];
    if (char === '`') {
      this.#pop();
      this.#before = '`';
      this.position += 1;
    } else if (char === '$' && this.#code[this.position + 1] === '{') {
      this.position += 1;
      this.#push('{');
      this.position += 1;
      this.#before = '{';
    } else this.position += char === '\\' ? 2 : 1;
  }

  #openTag(): void {
    const name = /^<([\w.:-]*)/.exec(this.#code.slice(this.position, this.position + 200))?.[1] ?? '';
    this.#push('tag', name);
    this.position += 1 + name.length;
    this.#before = '';
  }

  #stepTag(): void {
    const char = this.#code[this.position] ?? '';
    if (char === '>') this.#endTag(false);
    else if (char === '/' && this.#code[this.position + 1] === '>') this.#endTag(true);
    else if (char === '"' || char === "'") this.#skipAttribute(char);
    else if (char === '{') this.#openBracket('{');
    else if (/\s/.test(char)) {
      this.#cut(this.position);
      this.position += 1;
    } else this.position += 1;
  }

  /** Of an attribute, which knows no backslash and may have lines. */
  #skipAttribute(quote: string): void {
    this.#skipTo(quote, this.position + 1);
    if (this.ending === '') this.#cut(this.position);
  }

  #endTag(isWhole: boolean): void {
    const name = this.open?.name ?? '';
    const { position } = this;
    this.position = this.open?.start ?? position;
    this.#pop();
    if (!isWhole) this.#push('children', name);
    this.position = position + (isWhole ? 2 : 1);
    this.#before = 'x';
    this.#cut(this.position);
  }

  #stepChildren(): void {
    const char = this.#code[this.position];
    if (char === '{' || char === '<') this.#cut(this.position);
    if (char === '{') {
      this.#openBracket('{');
      return;
    }
    if (char !== '<') {
      this.position += 1;
      return;
    }
    const closing = /^<\/[\s\w.:-]*(>?)/.exec(this.#code.slice(this.position, this.position + 200));
    if (!closing) {
      this.#openTag();
      return;
    }
    // One that has not ended yet is left to what closes the element.
    this.position = closing[1] ? this.position + closing[0].length : this.#code.length;
    if (!closing[1]) return;
    this.#pop();
    this.#before = 'x';
    this.#cut(this.position);
  }
}
