/** One token of a script. `label` is what it is, in the words of the compiler: its own text for signs and keywords. */
export interface CodeToken {
  readonly label: string;
  readonly text: string;
}

/**
 * The tokens of a script, as the compiler reads it: no comment is among them, and what stands in a text is no code.
 * @throws SyntaxError for what is no script.
 */
export async function tokensOf(script: string): Promise<CodeToken[]> {
  const { getFormattedTokens } = await import('sucrase');
  const offsetOf = createOffsets(script);
  const tokens: CodeToken[] = [];
  let last = 0;
  // One row a token: where it stands, what it is. A text over several lines makes rows of its own, which stand nowhere.
  for (const row of getFormattedTokens(script, { transforms: [] }).split('\n')) {
    const place = /^(\d+):(\d+)-(\d+):(\d+)\s+(\S+)/.exec(row);
    if (!place) continue;
    const [line = 1, column = 1, endLine = 1, endColumn = 1] = place.slice(1, 5).map(Number);
    const [start, end] = [offsetOf(line, column), offsetOf(endLine, endColumn)];
    if (start < last || end < start) continue;
    tokens.push({ label: place[5] ?? '', text: script.slice(start, end) });
    last = end;
  }
  return tokens;
}

/** The code of tokens with nothing in its texts: what is found in it is code. */
export function codeOf(tokens: readonly CodeToken[]): string {
  return tokens.map(({ label, text }) => (isText(label) ? "''" : text)).join(' ');
}

/** Of those, what stands in no bracket: the module's own declarations. */
export function topLevelOf(tokens: readonly CodeToken[]): CodeToken[] {
  let depth = 0;
  return tokens.filter(({ label }) => {
    if (CLOSING.has(label)) depth -= 1;
    const isTop = depth === 0;
    if (OPENING.has(label)) depth += 1;
    return isTop;
  });
}

const OPENING = new Set(['{', '(', '[', '${']);
const CLOSING = new Set(['}', ')', ']']);

/** Of a text, one of a template, or a regular expression. */
function isText(label: string): boolean {
  return label === 'string' || label === 'template' || label === 'regexp';
}

function createOffsets(text: string): (line: number, column: number) => number {
  const starts = [0];
  for (const { index, 0: end } of text.matchAll(/\r\n|\n|\r/g)) starts.push(index + end.length);
  return (line, column) => (starts[line - 1] ?? text.length) + column - 1;
}
