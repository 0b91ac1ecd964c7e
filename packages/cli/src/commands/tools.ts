import { lintTools, type Snapshot, toToolListing } from '@toolpost/host';
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
    if (options.lint) return lint(snapshot, options.json);
    if (options.json) await print(`${JSON.stringify({ tools: snapshot.tools.map(toToolListing) })}\n`);
    else await print(toolColumns(snapshot.tools.map(toToolRow)));
    return 0;
  });
}

async function lint({ definitions, find }: Snapshot, asJson: boolean): Promise<number> {
  const lints = lintTools(
    definitions,
    ({ name }) => find(name)?.plugin.runner.services.permits('ui.contribute') === true,
  );
  await print(asJson ? `${JSON.stringify({ tools: lints })}\n` : lintReport(lints, definitions.length));
  return lints.some(isRefused) ? 1 : 0;
}
