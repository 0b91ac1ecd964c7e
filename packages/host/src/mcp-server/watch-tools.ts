import type { Session } from '@toolpost/protocol';
import type { Host } from '../host.ts';
import { catalogOf } from './tool-catalog.ts';

/** Changes that come together are told once. */
const QUIET_MS = 50;

/**
 * Calls `onChange` when the list that a session's client gets is another one: once for changes that come together, and
 * not for those that it does not see. Nothing is watched before `start`, which learns what the list is then.
 */
export interface ToolWatch {
  start(): void;
  close(): void;
}

export function watchTools(host: Host, session: Session, onChange: () => void): ToolWatch {
  let known: Uint8Array | undefined;
  let timer: NodeJS.Timeout | undefined;
  let stop: (() => void) | undefined;

  async function compare(): Promise<void> {
    const list = catalogOf(await host.listTools(session)).listJson('session');
    const isOther = known !== undefined && known !== list && Buffer.compare(known, list) !== 0;
    known = list;
    if (isOther && stop) onChange();
  }

  return {
    start() {
      if (stop) return;
      stop = host.onToolsChange(() => {
        // Without the first list there is nothing that changed.
        if (known && !timer) {
          timer = setTimeout(() => {
            timer = undefined;
            void compare();
          }, QUIET_MS);
          timer.unref();
        }
      });
      void compare();
    },
    close() {
      stop?.();
      stop = undefined;
      clearTimeout(timer);
    },
  };
}
