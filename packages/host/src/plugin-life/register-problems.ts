import { basename } from 'node:path';
import type { HostCore } from '../host-core.ts';
import type { PluginProblem } from '../plugins/plugin-reading.ts';
import { PluginCrash } from '../runtimes/runtime.ts';
import { warnOfBroken } from './warn-of-broken.ts';

/**
 * Plugins whose manifest cannot be read keep the tool names that it or their last run gave: a call of one says what is
 * wrong, and nothing falls back to what the plugin overrode.
 */
export function registerProblems(core: HostCore): void {
  const first = core.discovery.plugins.length;
  core.discovery.problems.forEach((problem, index) => {
    warnOfBroken(core, problem.id ?? basename(problem.file ?? problem.dir), problem.error.message);
    if (problem.id !== undefined) register(core, { ...problem, id: problem.id }, first + index);
  });
}

function register(core: HostCore, problem: PluginProblem & { id: string }, order: number): void {
  const { id, origin, error, toolNames } = problem;
  const names = new Set([...toolNames, ...core.cache.lastKnown(id)]);
  if (names.size === 0 || core.registry.plugins().some((entry) => entry.id === id)) return;
  const crash = new PluginCrash(error.message, { cause: error });
  core.registry.setPlugin({
    id,
    runtime: '',
    scope: 'global',
    order,
    origin,
    mayShadow: origin !== 'project',
    tools: [...names].map((name) => ({ name, description: '', inputSchema: { type: 'object', properties: {} } })),
    timeoutMs: 0,
    broken: error.message,
    runner: {
      services: {
        settings: {},
        grants: { hosts: [], spawn: false },
        log: () => undefined,
        permits: () => false,
        storageFor: core.stores.of({ pluginId: id, permits: () => false }),
      },
      isReady: false,
      ready: () => Promise.reject(crash),
      execute: () => Promise.reject(crash),
    },
  });
}
