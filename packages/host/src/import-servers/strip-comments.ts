/** A text in quotes, a comment, or a comma before the end of a list: the first that is met counts. */
const TOKENS = /"(?:[^"\\]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\/|,(?=(?:\s|\/\/[^\n]*\n|\/\*[\s\S]*?\*\/)*[}\]])/g;

/** JSON with comments and trailing commas, as editors keep it, as plain JSON of the same length and lines. */
export function stripComments(text: string): string {
  return text.replace(TOKENS, (token) => (token.startsWith('"') ? token : token.replace(/[^\n]/g, ' ')));
}
