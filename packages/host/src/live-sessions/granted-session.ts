import type { Session } from '@toolpost/protocol';
import type { Host } from '../host.ts';

/** A session with what is granted to it now. */
export class GrantedSession {
  readonly #host: Host;
  #kept: Session;
  #session: Session;
  #areRootsGiven = false;

  constructor(host: Host, kept: Session) {
    this.#host = host;
    this.#kept = kept;
    this.#session = host.reopenSession(kept);
  }

  /** As it is kept: some of its roots may be gone. */
  get kept(): Session {
    return this.#kept;
  }

  get session(): Session {
    return this.#session;
  }

  /** Whether whoever runs this host has given it its roots. */
  get areRootsGiven(): boolean {
    return this.#areRootsGiven;
  }

  /** Gives it these roots. Returns whether anything of the session changed. */
  give(roots: readonly string[]): boolean {
    this.#areRootsGiven = true;
    return this.renew(roots);
  }

  /** Folders go, and what a tenant has changes: looks again what of the roots is granted. Returns whether anything changed. */
  renew(roots: readonly string[]): boolean {
    this.#kept = Object.freeze({ ...this.#kept, roots });
    const session = this.#host.reopenSession(this.#kept, { areRootsGiven: this.#areRootsGiven });
    if (JSON.stringify(session) === JSON.stringify(this.#session)) return false;
    this.#session = session;
    return true;
  }
}
