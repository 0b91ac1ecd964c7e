import { type Host, toWhyListing, type WhyReport } from '@toolpost/host';
import type { Session } from '@toolpost/protocol';
import type { CommonOptions } from '../common-options.ts';
import { hookText } from '../hook-text.ts';
import { withHost } from '../open-host.ts';
import { print } from '../print.ts';
import { plainText } from '../terminal-text.ts';

export interface WhyOptions extends CommonOptions {
  readonly json: boolean;
}

/** `toolpost why`: the decisions about a name. Exits with 1 when nothing of that name is known. */
export async function why(name: string, options: WhyOptions): Promise<number> {
  const show = async (host: Host, session: Session) => {
    const report = await host.why(name, session);
    await print(options.json ? `${JSON.stringify(toWhyListing(report))}\n` : plainText(forPeople(report)));
    return report.candidates.length > 0 ? 0 : 1;
  };
  return withHost(options, show, { warnsOfBroken: false });
}

function forPeople(report: WhyReport): string {
  const lines =
    report.candidates.length > 0
      ? [...candidateLines(report), ...permissionLines(report), ...hookLines(report)]
      : unknown(report);
  return `${lines.join('\n')}\n`;
}

function candidateLines(report: WhyReport): string[] {
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

type Candidate = WhyReport['candidates'][number];

function placeOf({ plugin, scope, runtime, origin }: Candidate): string {
  if (scope === 'builtin') return 'a built-in tool';
  const how = [ORIGINS[origin] ?? origin, runtime].filter((part) => part !== '').join(', ');
  return `a tool of the plugin ${plugin} (${how})`;
}

function standing({ status, scope, reason, by }: Candidate, { shadowsAnother }: WhyReport): string {
  if (status === 'shadowed' && by !== undefined) return `hidden: the one of the plugin ${by} comes first`;
  if (status !== 'visible') return reason;
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

function permissionLines({ permissions, alwaysAllowed }: WhyReport): string[] {
  if (!permissions) return [];
  const rules = permissions.rules.map(({ decision, text, place }) => `  ${decision.padEnd(5)} ${text}  (${place})`);
  const byDefault = `${permissions.rules.length > 0 ? 'else ' : ''}by default: ${permissions.byDefault}`;
  const always = alwaysAllowed.map(({ id, arguments: input }) => `    but always allowed: ${input}  (${id})`);
  return ['A call of it is decided by:', ...rules, `  ${byDefault}`, ...always];
}

function hookLines({ hooks }: WhyReport): string[] {
  if (hooks.length === 0) return [];
  const lines = hooks.map((hook) => `  ${hookText(hook)}, by the plugin ${hook.plugin}`);
  return ['Hooks that hear of its calls:', ...lines];
}

function unknown({ name, similar, brokenPlugins }: WhyReport): string[] {
  const lines = [`No plugin offers a tool named ${JSON.stringify(name)}.`];
  if (similar.length > 0) lines.push(`Near names: ${similar.join(', ')}.`);
  for (const { id, error } of brokenPlugins) lines.push(`The plugin ${id} might, but it does not work: ${error}`);
  lines.push('`toolpost tools` lists what this session sees, `toolpost plugins list` what was found.');
  return lines;
}
