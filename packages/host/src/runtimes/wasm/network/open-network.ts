import type { InstanceService } from '../instance-service.ts';
import type { NetworkOptions } from './create-network.ts';

/**
 * The network of an instance whose component imports any. Only then are Node's HTTP and TLS loaded, which take longer
 * than the start of a small instance.
 */
export async function openNetwork(imports: readonly string[], options: NetworkOptions): Promise<InstanceService[]> {
  if (!imports.some((name) => /^wasi:(?:http|sockets)\//.test(name))) return [];
  const { createNetwork } = await import('./create-network.ts');
  return [createNetwork(options)];
}
