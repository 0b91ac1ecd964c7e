const MAX_CHARS = 200_000;
const MAX_LINE_CHARS = 20_000;
/** In one paragraph, whose marks a parser tries to pair with one another. */
const MAX_MARKS = 1000;
const MARKS = /[[\]*_~`<!]/g;
const DEEP_LINE = /^(?:[ \t]{120}|(?:[ \t]*(?:>|[-*+]|\d{1,9}[.)])){30})/;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const MAX_CELLS = 20_000;

/**
 * Whether a text can be read as Markdown in moments. What is made to be slow for a parser, or too deep for a page, is
 * shown as the text that it is. Takes a time that grows with the text alone.
 */
export function isTameMarkdown(text: string): boolean {
  if (text.length > MAX_CHARS) return false;
  let [marks, cells, fence] = [0, 0, ''];
  for (const line of text.split('\n')) {
    const [, ticks = ''] = FENCE.exec(line) ?? [];
    if (fence !== '') {
      if (ticks.startsWith(fence)) fence = '';
      continue;
    }
    if (line.length > MAX_LINE_CHARS || DEEP_LINE.test(line)) return false;
    fence = ticks;
    marks = line.trim() === '' ? 0 : marks + countOf(line, MARKS);
    cells += countOf(line, /\|/g);
    if (marks > MAX_MARKS || cells > MAX_CELLS) return false;
  }
  return true;
}

function countOf(line: string, marks: RegExp): number {
  return line.match(marks)?.length ?? 0;
}
