const MAX_TITLE_CHARS = 80;

/** A text as a title: one line of at most 80 characters. */
export function titleOf(text: string): string {
  const line = text.toWellFormed().replaceAll(/\s+/g, ' ').trim();
  const characters = [...line];
  return characters.length <= MAX_TITLE_CHARS ? line : `${characters.slice(0, MAX_TITLE_CHARS).join('')}…`;
}
