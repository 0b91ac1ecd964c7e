import type { RegisteredTool } from './registered-tool.ts';

/** A tool as lists show it to programs: `tools --json` and the HTTP API. */
export function toToolListing({ definition, plugin, scope }: RegisteredTool) {
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
