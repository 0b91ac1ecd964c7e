import { pluginListSchema, pluginReloadSchema } from '@toolpost/protocol/schemas';
import type { PluginStatus } from '../../plugin-life/plugin-status.ts';
import type { Principal } from '../principal.ts';
import { Problem } from '../problem.ts';
import { defineRoute, type Route } from '../route.ts';
import { assertTakesWork, type ServerParts } from '../server-parts.ts';
import { visiblePlugins } from '../visible-plugins.ts';

const STOPPED = { status: 204, description: 'Done. Calls that ran in it ended `crashed`.' } as const;
const ERRORS = ['PLUGIN_NOT_FOUND', 'FORBIDDEN', 'PLUGIN_LOAD_FAILED'] as const;

export function pluginRoutes(parts: ServerParts): readonly Route[] {
  return [
    defineRoute({
      method: 'get',
      path: '/api/plugins',
      summary: 'List the plugins that your sessions may use, and what runs of them',
      tag: 'plugins',
      answer: { status: 200, description: 'In their order of precedence.', schema: pluginListSchema },
      handle: async ({ principal }) => ({
        plugins: (await visiblePlugins(parts, principal)).map((one) => toListing(one, principal)),
      }),
    }),
    defineRoute({
      method: 'post',
      path: '/api/plugins/reload',
      summary: 'Find plugins that are new, changed or gone; calls that run in one that changed end `crashed`',
      tag: 'plugins',
      answer: { status: 200, description: 'What is different now.', schema: pluginReloadSchema },
      errors: ['FORBIDDEN', 'CONFIG_INVALID'],
      handle: ({ principal }) => reload(parts, principal),
    }),
    defineRoute({
      method: 'post',
      path: '/api/plugins/{id}/restart',
      summary: 'End what runs of a plugin and start it again; of a tenant, its own process alone',
      tag: 'plugins',
      answer: STOPPED,
      errors: ERRORS,
      handle: ({ params: { id = '' }, principal }) => stop(parts, principal, { id, restart: true }),
    }),
    defineRoute({
      method: 'post',
      path: '/api/plugins/{id}/stop',
      summary: 'End what runs of a plugin until a call needs it; of a tenant, its own process alone',
      tag: 'plugins',
      answer: STOPPED,
      errors: ERRORS,
      handle: ({ params: { id = '' }, principal }) => stop(parts, principal, { id, restart: false }),
    }),
  ];
}

function reload(parts: ServerParts, { isOperator }: Principal) {
  assertTakesWork(parts);
  if (!isOperator) throw new Problem(403, 'FORBIDDEN', "plugins are every tenant's: the operator has them read again");
  return parts.host.reloadPlugins();
}

async function stop(
  parts: ServerParts,
  principal: Principal,
  { id, restart }: { id: string; restart: boolean },
): Promise<void> {
  assertTakesWork(parts);
  const plugin = (await visiblePlugins(parts, principal)).find((one) => one.id === id);
  if (!plugin)
    throw new Problem(404, 'PLUGIN_NOT_FOUND', `there is no plugin ${JSON.stringify(id)}: list them to see their ids`);
  const why = whyNotToStop(plugin, principal);
  if (why !== undefined) throw new Problem(403, 'FORBIDDEN', why);
  const { tenant, isOperator } = principal;
  return parts.host.stopPlugin(id, { restart, ...(!isOperator && { tenant }) });
}

/** Undefined for who may stop and restart the plugin. */
function whyNotToStop({ id, isShared }: PluginStatus, { user, isOperator }: Principal): string | undefined {
  if (isOperator) return undefined;
  if (user !== '') return "only the tenant's own token stops and restarts its plugins";
  return isShared ? `the plugin ${id} serves other tenants too: its operator stops it` : undefined;
}

/** Where a plugin lies and who else uses it is the operator's to know. */
function toListing(plugin: PluginStatus, principal: Principal) {
  const { tenant, isOperator } = principal;
  const { id, version, runtime, state, dir, tools, error, processes } = plugin;
  const own = processes.filter((process) => isOperator || process.tenant === tenant);
  return {
    ...{ id, version, runtime, state, tools },
    ...(isOperator && { dir }),
    ...(error !== undefined && { error }),
    processes: own.map((process) => ({ ...process, ageMs: Date.now() - process.startedAt })),
    mayStop: whyNotToStop(plugin, principal) === undefined,
  };
}
