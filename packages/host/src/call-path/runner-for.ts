import type { RegisteredTool, ToolRunner } from '../registry/registered-tool.ts';

/** What runs this tool for the tenant of a session: a process may serve one tenant only. */
export function runnerFor({ plugin: { runner } }: RegisteredTool, tenant: string): ToolRunner {
  return runner.forTenant ? runner.forTenant(tenant) : runner;
}
