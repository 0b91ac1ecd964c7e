import { type Host, lintTools, type Snapshot, toToolListing } from '@toolpost/host';
import type { CommonOptions } from '../common-options.ts';
import { isRefused, lintReport } from '../lint-report.ts';
import { withHost } from '../open-host.ts';
import { print } from '../print.ts';
import { toolColumns, toToolRow } from '../tool-columns.ts';

export interface ToolsOptions extends CommonOptions {
  readonly json: boolean;
  readonly lint: boolean;
}

/** `toolpost tools`: what this session sees, sorted by name. With --lint 1 when a provider would refuse one. */
export async function tools(options: ToolsOptions): Promise<number> {
  return withHost(options, async (host, session) => {
    const snapshot = await host.listTools(session);
    if (options.lint) return lint(snapshot, { files: await singleFiles(host), asJson: options.json });
    if (options.json) await print(`${JSON.stringify({ tools: snapshot.tools.map(toToolListing) })}\n`);
    else await print(toolColumns(snapshot.tools.map(toToolRow)));
    return 0;
  });
}

interface LintOptions {
  readonly files: ReadonlySet<string>;
  readonly asJson: boolean;
}

/** A single file has no plugin.json to mend; where it handles actions all the same, it is told when it starts. */
async function lint({ definitions, find }: Snapshot, { files, asJson }: LintOptions): Promise<number> {
  const lints = lintTools(definitions, ({ name }) => {
    const plugin = find(name)?.plugin;
    return plugin !== undefined && (files.has(plugin.id) || plugin.runner.services.permits('ui.contribute'));
  });
  await print(asJson ? `${JSON.stringify({ tools: lints })}\n` : lintReport(lints, definitions.length));
  return lints.some(isRefused) ? 1 : 0;
}

async function singleFiles(host: Host): Promise<ReadonlySet<string>> {
  const plugins = await host.listPlugins({ start: false });
  return new Set(plugins.filter(({ isLoose }) => isLoose).map(({ id }) => id));
}
