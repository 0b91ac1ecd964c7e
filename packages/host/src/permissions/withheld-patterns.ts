import type { PermissionRule } from './parse-rule.ts';

/** The built-in tools that go through folders by themselves. */
export type SearchTool = 'glob' | 'grep';

/** The pattern of a rule that denies files or asks about them. */
export interface WithheldPattern {
  readonly pattern: string;
  /** The rule names the search tool itself, so that it decided already about the folder that is searched. */
  readonly isOwn: boolean;
}

/** `grep` shows what stands in files, as `read` does. */
const ALIKE: Readonly<Record<SearchTool, readonly string[]>> = { glob: [], grep: ['read'] };

/** The patterns among these rules (deny, and ask where nobody said yes to all) that a search of a folder respects. */
export function withheldPatterns(rules: readonly PermissionRule[], tool: SearchTool): readonly WithheldPattern[] {
  return rules.flatMap(({ pattern, plugin, matchesName }) => {
    if (pattern === undefined || (plugin !== undefined && plugin !== 'builtin')) return [];
    const isOwn = matchesName(tool);
    return isOwn || ALIKE[tool].some(matchesName) ? [{ pattern, isOwn }] : [];
  });
}
