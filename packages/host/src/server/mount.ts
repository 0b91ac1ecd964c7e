import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Principal } from './principal.ts';

/** A part of the server with a protocol of its own, at a path. */
export interface Mount {
  /**
   * Gets requests whose address and token are known, as Node has them, and answers them itself. What it throws, or rejects
   * with, before it has begun to is answered for it.
   */
  handle(request: IncomingMessage, response: ServerResponse, principal: Principal): void | Promise<void>;
  /** Resolves when nothing that somebody waits for runs in it. */
  idle?(): Promise<void>;
  /** Cancels what runs, and ends what it keeps open. */
  close?(): void;
}
