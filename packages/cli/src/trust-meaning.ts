/** What a person agrees to who trusts these files of a project (`AGENTS.md`, `.mcp.json`, what is in `.toolpost/`). */
export function meaningOfTrust(names: readonly string[]): string {
  const isInstructions = (name: string) => name.startsWith('AGENTS.md');
  const sentences: string[] = [];
  if (names.some(isInstructions)) sentences.push('The model follows AGENTS.md.');
  if (!names.every(isInstructions)) sentences.push('Plugins and servers among them run with your rights.');
  return sentences.join(' ');
}
