/** At most `limit` UTF-16 units of a text, cut between characters, with a count of what is left out. */
export function cutText(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const end = isInsidePair(text, limit) ? limit - 1 : limit;
  return `${text.slice(0, end)}... (${text.length - end} more characters)`;
}

function isInsidePair(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1);
  return before >= 0xd800 && before <= 0xdbff;
}
