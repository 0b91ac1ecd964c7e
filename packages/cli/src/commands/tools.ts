import type { RegisteredTool } from '@toolpost/host';
import { columns } from '../columns.ts';
import type { CommonOptions } from '../common-options.ts';
import { withHost } from '../open-host.ts';
import { print } from '../print.ts';

export interface ToolsOptions extends CommonOptions {
  readonly json: boolean;
}

/** `toolpost tools`: what this session sees, sorted by name. */
export async function tools(options: ToolsOptions): Promise<number> {
  await withHost(options, async (host, session) => {
    const snapshot = await host.listTools(session);
    if (options.json) await print(`${JSON.stringify({ tools: snapshot.tools.map(toListing) })}\n`);
    else await print(forPeople(snapshot.tools));
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

function forPeople(tools: readonly RegisteredTool[]): string {
  if (tools.length === 0) return 'This session sees no tools. `toolpost plugins list` shows what was found.\n';
  const rows = tools.map(({ definition, plugin }) => [
    definition.name,
    plugin.id,
    plugin.broken === undefined ? definition.description : `(broken) ${plugin.broken}`,
  ]);
  return columns(rows, process.stdout.columns ?? 120);
}
