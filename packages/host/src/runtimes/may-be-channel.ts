import type { Manifest } from '@toolpost/protocol';

const PROCESS_RUNTIMES: readonly string[] = ['stdio', 'script', 'channel'];

/** Whether a plugin's process may say that it is a channel; only its answer to `activate` tells whether it does. */
export function mayBeChannel({ runtime, permissions, contributes }: Manifest): boolean {
  if (!PROCESS_RUNTIMES.includes(runtime)) return false;
  const isPermitted = permissions.includes('channels.register') || permissions.includes('*');
  return runtime === 'channel' || contributes.channelProvider !== undefined || isPermitted;
}
