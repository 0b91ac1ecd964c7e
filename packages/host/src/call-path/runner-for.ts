import type { RegisteredTool, ToolRunner } from '../registry/registered-tool.ts';

/** What runs this tool for the tenant of a session: a process may serve one tenant only, a tool have a limit of its own. */
export function runnerFor({ definition, plugin: { runner } }: RegisteredTool, tenant: string): ToolRunner {
  if (runner.forTenant) return runner.forTenant(tenant);
  return runner.forTool?.(definition.name) ?? runner;
}
