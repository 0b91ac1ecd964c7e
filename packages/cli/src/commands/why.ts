import type { WhyReport } from '@toolpost/host';
import type { CommonOptions } from '../common-options.ts';
import { withHost } from '../open-host.ts';
import { print } from '../print.ts';
import { terminalText } from '../terminal-text.ts';

export interface WhyOptions extends CommonOptions {
  readonly json: boolean;
}

/** `toolpost why`: the decisions about a name. Exits with 1 when nothing of that name is known. */
export async function why(name: string, options: WhyOptions): Promise<number> {
  return withHost(options, async (host, session) => {
    const report = await host.why(name, session);
    await print(options.json ? `${JSON.stringify(toJson(report))}\n` : terminalText(forPeople(report)));
    return report.candidates.length > 0 ? 0 : 1;
  });
}

function toJson({ name, tool, candidates, similar, permission, brokenPlugins }: WhyReport) {
  return { name, visible: tool !== undefined, candidates, similar, permission, brokenPlugins };
}

function forPeople(report: WhyReport): string {
  const lines = report.candidates.length > 0 ? known(report) : unknown(report);
  return `${lines.join('\n')}\n`;
}

function known({ candidates, permission }: WhyReport): string[] {
  const lines = candidates.map(({ name, plugin, scope, runtime, origin, status, reason }) => {
    const place = scope === 'builtin' ? 'built-in' : `${scope}, ${runtime}, found in: ${origin}`;
    return `${name}  of plugin ${plugin} (${place})\n  ${status}: ${reason}`;
  });
  if (permission) {
    const remedy = permission.remedy === undefined ? '' : `; ${permission.remedy}`;
    lines.push(`A call: ${permission.decision} (${permission.reason}${remedy})`);
  }
  return lines;
}

function unknown({ name, similar, brokenPlugins }: WhyReport): string[] {
  const lines = [`No plugin offers a tool named ${JSON.stringify(name)}.`];
  if (similar.length > 0) lines.push(`Near names: ${similar.join(', ')}.`);
  for (const { id, error } of brokenPlugins) lines.push(`The plugin ${id} might, but it does not work: ${error}`);
  lines.push('`toolpost tools` lists what this session sees, `toolpost plugins list` what was found.');
  return lines;
}
