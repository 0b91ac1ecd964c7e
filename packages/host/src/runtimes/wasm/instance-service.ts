import type { RuntimeCallContext } from '../runtime.ts';
import type { LinkHandler } from './serve-host-link.ts';

/** What the host does for one instance by its link, and holds for it. It ends with the instance. */
export interface InstanceService {
  readonly handlers: Readonly<Record<string, LinkHandler<RuntimeCallContext>>>;
  /** Resolves when nothing of it is left. */
  close(): Promise<void>;
}
