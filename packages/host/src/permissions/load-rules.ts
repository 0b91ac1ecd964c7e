import { homedir } from 'node:os';
import { type PathStyle, pathStyleOf } from './call-paths.ts';
import { compileRule } from './compiled-rule.ts';
import type { PermissionOptions, RuleText } from './decide.ts';
import { type PermissionRule, parseRule } from './parse-rule.ts';
import type { PathPatternOptions } from './path-pattern.ts';
import type { ShellParser } from './shell-line.ts';
import type { RuleLists } from './tool-plan.ts';

export interface LoadedRules {
  readonly lists: RuleLists;
  readonly style: PathStyle;
  readonly parser: ShellParser | undefined;
}

/** Reads and compiles the rules, with the libraries that their patterns need. */
export async function loadRules(options: PermissionOptions): Promise<LoadedRules> {
  const rules = {
    allow: parseRules(options.allow, 'permissions.allow'),
    ask: parseRules(options.ask, 'permissions.ask'),
    deny: parseRules(options.deny, 'permissions.deny'),
  };
  const withPattern = Object.values(rules)
    .flat()
    .filter(({ pattern }) => pattern !== undefined);
  const style = pathStyleOf(options.platform ?? process.platform);
  const paths = await loadPathOptions(withPattern, style, options.homeDir);
  const parser = withPattern.every(isForFiles) ? undefined : await import('unbash');
  const compiled = (list: readonly PermissionRule[]) =>
    list.map((rule) => compileRule(rule, isForShells(rule) ? undefined : paths));
  const lists = { allow: compiled(rules.allow), ask: compiled(rules.ask), deny: compiled(rules.deny) };
  return { lists, style, parser };
}

function parseRules(texts: readonly RuleText[] = [], list: string): PermissionRule[] {
  return texts.map((rule, index) =>
    typeof rule === 'object' && rule !== null ? parseRule(rule.text, rule.place) : parseRule(rule, `${list}[${index}]`),
  );
}

async function loadPathOptions(
  rules: readonly PermissionRule[],
  style: PathStyle,
  homeDir = homedir(),
): Promise<PathPatternOptions | undefined> {
  if (rules.every(isForShells)) return undefined;
  const { default: picomatch } = await import('picomatch');
  return { picomatch, style, homeDir };
}

const FILE_TOOLS = ['read', 'write', 'edit', 'glob', 'grep'];
const SHELL_TOOLS = ['bash', 'sh', 'shell', 'zsh'];
const FILE_TOOL_RULE = /^(?:[^:(]+:)?(?:read|write|edit|glob|grep)\(/i;

/** A rule of exactly a file tool: its pattern is never a command. */
function isForFiles({ text }: PermissionRule): boolean {
  return FILE_TOOL_RULE.test(text);
}

/** A rule of shells: its pattern is never a path, and may hold what a path pattern may not (`cat ../x`, `! test`). */
function isForShells({ matchesName }: PermissionRule): boolean {
  return SHELL_TOOLS.some(matchesName) && !FILE_TOOLS.some(matchesName);
}
