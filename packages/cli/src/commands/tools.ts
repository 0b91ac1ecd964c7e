import type { RegisteredTool } from '@toolpost/host';
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
    if (options.json) await print(`${JSON.stringify({ tools: snapshot.tools.map(toListing) })}\n`);
    else await print(toolColumns(snapshot.tools));
  });
  return 0;
}

function toListing({ definition, plugin, scope }: RegisteredTool) {
  const { name, description, title, inputSchema, outputSchema, annotations, ui, primaryArg } = definition;
  return {
    name,
    description,
    ...(title !== undefined && { title }),
    inputSchema,
    ...(outputSchema && { outputSchema }),
    ...(annotations && { annotations }),
    plugin: plugin.id,
    runtime: plugin.runtime,
    scope,
    ...(ui && { ui }),
    ...(primaryArg !== undefined && { primaryArg }),
  };
}
