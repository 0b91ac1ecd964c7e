/** What hooks see of a result at most (reference section 10). */
const MAX_OUTPUT_BYTES = 8192;

/** The start of a text, as hooks get it. */
export function hookOutput(text: string): string {
  if (text.length * 3 <= MAX_OUTPUT_BYTES) return text;
  const bytes = Buffer.from(text);
  if (bytes.length <= MAX_OUTPUT_BYTES) return text;
  // A cut inside a character leaves a replacement character, which is dropped.
  return bytes.toString('utf8', 0, MAX_OUTPUT_BYTES).replace(/\uFFFD+$/, '');
}
