import type { toWhyListing } from '@toolpost/host';
import type { ApiWhy } from '@toolpost/protocol';
import { hookText } from './hook-text.ts';

/** A report of this host's, or a server's. */
export type WhyListing = ApiWhy | ReturnType<typeof toWhyListing>;

/** What decides about a name, for people. What plugins say in it is not clean. */
export function whyText(report: WhyListing): string {
  const lines =
    report.candidates.length > 0
      ? [...candidateLines(report), ...uiLines(report), ...permissionLines(report), ...hookLines(report)]
      : unknown(report);
  return `${lines.join('\n')}\n`;
}

function candidateLines(report: WhyListing): string[] {
  return report.candidates.flatMap((candidate) => [
    `${candidate.name}: ${placeOf(candidate)}`,
    `  ${standing(candidate, report)}`,
    ...patchLines(candidate),
  ]);
}

/** What a server has changed of its tool since that was accepted. */
function patchLines({ name, plugin, patch }: Candidate): string[] {
  if (patch === undefined) return [];
  const lines = patch.trimEnd().split('\n');
  return [...lines.map((line) => `    ${line}`), `  \`toolpost plugins accept ${plugin} ${name}\` accepts it`];
}

/** What it draws, and out of what. */
function uiLines({ ui }: WhyListing): string[] {
  if (!ui) return [];
  const from = ui.param === undefined ? 'of its result' : `of its argument ${ui.param}`;
  const libs = ui.libs.length === 0 ? '' : `, with ${ui.libs.join(', ')}`;
  return [`  it draws ${ui.mode} ${from}${libs}${ui.surface === 'panel' ? ', in the panel' : ''}`];
}

type Candidate = WhyListing['candidates'][number];

function placeOf({ plugin, scope, runtime, origin }: Candidate): string {
  if (scope === 'builtin') return 'a built-in tool';
  const how = [ORIGINS[origin] ?? origin, runtime].filter((part) => part !== '').join(', ');
  return `a tool of the plugin ${plugin} (${how})`;
}

function standing({ plugin, status, scope, reason, by }: Candidate, { candidates }: WhyListing): string {
  if (status === 'shadowed' && by !== undefined) return `hidden: the one of the plugin ${by} comes first`;
  if (status !== 'visible') return reason;
  const shadowsAnother = candidates.some((other) => other.status === 'shadowed' && other.by === plugin);
  const whose = scope === 'tenant' || scope === 'channel' ? `, as one of its ${scope}` : '';
  return `this session sees it${whose}${shadowsAnother ? ', and it comes before the others of this name' : ''}`;
}

const ORIGINS: Record<string, string> = {
  flag: 'given with --plugins',
  home: 'in the home directory',
  config: 'named in the configuration',
  bundled: 'bundled',
  project: 'of a trusted project',
};

function permissionLines({ permissions, alwaysAllowed }: WhyListing): string[] {
  if (!permissions) return [];
  const rules = permissions.rules.map(({ decision, text, place }) => `  ${decision.padEnd(5)} ${text}  (${place})`);
  const byDefault = `${permissions.rules.length > 0 ? 'else ' : ''}by default: ${permissions.byDefault}`;
  const always = alwaysAllowed.map(({ id, arguments: input }) => `    but always allowed: ${input}  (${id})`);
  return ['A call of it is decided by:', ...rules, `  ${byDefault}`, ...always];
}

function hookLines({ hooks }: WhyListing): string[] {
  if (hooks.length === 0) return [];
  const lines = hooks.map((hook) => `  ${hookText(hook)}, by the plugin ${hook.plugin}`);
  return ['Hooks that hear of its calls:', ...lines];
}

function unknown({ name, similar, brokenPlugins }: WhyListing): string[] {
  const lines = [`No plugin offers a tool named ${JSON.stringify(name)}.`];
  if (similar.length > 0) lines.push(`Near names: ${similar.join(', ')}.`);
  for (const { id, error } of brokenPlugins) lines.push(`The plugin ${id} might, but it does not work: ${error}`);
  lines.push('`toolpost tools` lists what this session sees, `toolpost plugins list` what was found.');
  return lines;
}
