import { HostError } from '@toolpost/protocol';
import { foldName } from '../registry/fold-name.ts';
import { compileTextGlob, indexOfUnescaped } from './text-glob.ts';

/** A rule of the configuration or the command line, read. Its parts are design section 5's. */
export interface PermissionRule {
  /** As it was written; decisions and messages quote it. */
  readonly text: string;
  /** Where it was written: `permissions.deny[0]`, `--allow`. */
  readonly place: string;
  /** The only plugin whose tools it is about; absent means every plugin's. */
  readonly plugin?: string;
  /** On the primary argument; absent means every call of the tool. */
  readonly pattern?: string;
  /** Whether it is about a tool of this folded name. */
  matchesName(folded: string): boolean;
}

const PLUGIN_ID = /^[a-zA-Z0-9][a-zA-Z0-9._-]{0,127}$/;
const FORMS = 'write it as `tool`, `tool(pattern)` or `plugin:tool(pattern)`';

/**
 * Reads `tool-glob`, `tool-glob(pattern)`, either with `plugin:` before it. A backslash takes the next character as it
 * is: `\:` in a tool's name, `\*` in a pattern.
 * @throws HostError CONFIG_INVALID that names the place, the rule, what is wrong and the right form.
 */
export function parseRule(text: string, place: string): PermissionRule {
  const wrong = (what: string) => new HostError('CONFIG_INVALID', `${place}: the rule ${quoted(text)} ${what}`);
  if (typeof text !== 'string') throw wrong(`is no text: ${FORMS}`);
  const whole = text.trim();
  if (whole === '') throw wrong(`is empty: ${FORMS}`);
  const paren = indexOfUnescaped(whole, '(');
  const head = (paren < 0 ? whole : whole.slice(0, paren)).trim();
  const colon = indexOfUnescaped(head, ':');
  const plugin = colon < 0 ? undefined : head.slice(0, colon);
  const toolGlob = head.slice(colon + 1);
  if (plugin !== undefined && !PLUGIN_ID.test(plugin)) {
    throw wrong(
      `names ${quoted(plugin)}, which is no plugin's id: ids hold letters, digits, dots, _ and -, and no glob`,
    );
  }
  if (toolGlob === '') throw wrong(`names no tool: ${FORMS}`);
  if (indexOfUnescaped(toolGlob, ')') >= 0) throw wrong(`closes a parenthesis that was not opened: ${FORMS}`);
  const pattern = paren < 0 ? undefined : patternOf(whole, paren, wrong);
  return {
    text: whole,
    place,
    matchesName: nameGlob(toolGlob, wrong),
    ...(plugin === undefined ? {} : { plugin }),
    ...(pattern === undefined ? {} : { pattern }),
  };
}

type Wrong = (what: string) => HostError;

function patternOf(whole: string, paren: number, wrong: Wrong): string {
  if (!whole.endsWith(')')) {
    const open = indexOfUnescaped(whole, ')', paren) < 0;
    throw wrong(open ? 'has no closing parenthesis: add `)`' : `goes on after its pattern: ${FORMS}`);
  }
  const pattern = whole.slice(paren + 1, -1);
  if (pattern.trim() === '') throw wrong('has an empty pattern: leave the parentheses out to match every call');
  return pattern;
}

function nameGlob(toolGlob: string, wrong: Wrong): (folded: string) => boolean {
  try {
    return compileTextGlob(foldName(toolGlob));
  } catch (error) {
    throw wrong(`is too wide: ${error instanceof Error ? error.message : error}`);
  }
}

function quoted(text: unknown): string {
  const json = JSON.stringify(text) ?? String(text);
  return json.length > 200 ? `${json.slice(0, 200)}...` : json;
}
