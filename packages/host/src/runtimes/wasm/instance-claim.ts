import type { Manifest } from '@toolpost/protocol';
import type { RuntimeCallContext } from '../runtime.ts';
import type { InstanceClaim } from './instance-pool.ts';

/**
 * Which instance a session's call runs in. One is never shared by tenants, nor by sessions with other roots: what it was
 * given when it started stays with it.
 */
export function claimOf(context: RuntimeCallContext, instances: Manifest['instances'] = 'session'): InstanceClaim {
  const { session, roots: paths } = context;
  const { id, tenant, readOnlyRoots = [], rootSpellings = [] } = session;
  const roots = paths.map((path) => ({
    path,
    spellings: rootSpellings.filter(({ root }) => root === path).map(({ spelling }) => spelling),
    isReadOnly: readOnlyRoots.includes(path),
  }));
  return { key: JSON.stringify([tenant, instances === 'shared' ? '' : id, roots, readOnlyRoots]), roots };
}
