/** One piece of a program line: blanks, a single-quoted, a double-quoted, an escaped or a plain stretch. */
const PIECE = /(\s+)|'([^']*)'|"((?:[^"\\]|\\[\s\S])*)"|\\([\s\S])|((?:[^\s'"\\]|\\$)+)/y;
/** Inside double quotes a backslash is special only before these (POSIX shell, 2.2.3). */
const ESCAPE_IN_DOUBLE_QUOTES = /\\(["\\$`])/g;

/**
 * Splits a program line as a shell would: blanks part words, single and double quotes and backslashes join them. No
 * variable, glob or substitution is expanded, and `;`, `|` or `>` are plain characters: no shell runs it.
 * @throws RangeError that quotes the line when a quote is not closed.
 */
export function splitCommandLine(line: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  PIECE.lastIndex = 0;
  while (PIECE.lastIndex < line.length) {
    const piece = PIECE.exec(line);
    if (!piece) throw new RangeError(`a quote is not closed in the program line: ${line}`);
    const [, blank, single, double, escaped, plain] = piece;
    if (blank !== undefined) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else {
      word = (word ?? '') + (single ?? double?.replace(ESCAPE_IN_DOUBLE_QUOTES, '$1') ?? escaped ?? plain ?? '');
    }
  }
  if (word !== undefined) words.push(word);
  return words;
}

/** Joins words so that a person can paste them into a POSIX shell. */
export function joinCommandLine(words: readonly string[]): string {
  return words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(' ');
}
