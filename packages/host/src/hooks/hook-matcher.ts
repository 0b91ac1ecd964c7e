import { compileTextGlob, type TextGlob } from '../permissions/text-glob.ts';
import { foldName } from '../registry/fold-name.ts';

/**
 * Whether a hook is meant for a tool: an empty matcher and `*` mean every one, else its exact name, `p*`, `*s`, `*mid*`,
 * or any other glob. Names are compared as the registry does, without case.
 * @throws RangeError when the glob's alternatives multiply without end.
 */
export function compileHookMatcher(matcher: string | undefined): TextGlob {
  const folded = foldName((matcher ?? '').trim());
  if (folded === '' || folded === '*') return () => true;
  const matches = compileTextGlob(folded);
  return (toolName) => matches(foldName(toolName));
}
