interface Fence {
  readonly indent: string;
  readonly ticks: string;
}

/**
 * What a user or a model said, as part of a Markdown document. Models answer in Markdown, so that it stays as it is, but
 * for what would reach out of its place: tags, images that a viewer would fetch, headings like the document's own, and a
 * block of code that has no end.
 */
export function toSpoken(text: string): string {
  const lines: string[] = [];
  let fence: Fence | undefined;
  for (const line of text.split(/\r?\n/)) {
    const isCode = fence !== undefined;
    if (fence) fence = endsFence(line, fence) ? undefined : fence;
    else fence = startOfFence(line);
    lines.push(isCode || fence ? line : toSpokenLine(line));
  }
  if (fence) lines.push(fence.indent + fence.ticks);
  return lines.join('\n');
}

/** One line of it: code between backticks stays, and what is escaped already. */
export function toSpokenLine(line: string): string {
  return line
    .replaceAll(/\\.|(?<!`)(`+)(?!`).{0,2000}?(?<!`)\1(?!`)|<(?=[a-zA-Z/!?])|!(?=\[)/g, (found) =>
      found === '<' || found === '!' ? `\\${found}` : found,
    )
    .replace(/^( {0,3})(?=#{1,2}[ \t]+(?:You|Toolpost|An interface)\b)/, '$1\\');
}

/** Of backticks, or of tildes; behind backticks no further one may stand in the line. */
function startOfFence(line: string): Fence | undefined {
  const [, indent = '', ticks] = /^([ \t]*)(`{3,}(?=[^`]*$)|~{3,})/.exec(line) ?? [];
  return ticks === undefined ? undefined : { indent, ticks };
}

function endsFence(line: string, { ticks }: Fence): boolean {
  const end = line.trim();
  return end.length >= ticks.length && end === ticks.charAt(0).repeat(end.length);
}
