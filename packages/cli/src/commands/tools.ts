import { toToolListing } from '@toolpost/host';
import type { CommonOptions } from '../common-options.ts';
import { withHost } from '../open-host.ts';
import { print } from '../print.ts';
import { toolColumns } from '../tool-columns.ts';

export interface ToolsOptions extends CommonOptions {
  readonly json: boolean;
}

/** `toolpost tools`: what this session sees, sorted by name. */
export async function tools(options: ToolsOptions): Promise<number> {
  await withHost(options, async (host, session) => {
    const snapshot = await host.listTools(session);
    if (options.json) await print(`${JSON.stringify({ tools: snapshot.tools.map(toToolListing) })}\n`);
    else await print(toolColumns(snapshot.tools));
  });
  return 0;
}
