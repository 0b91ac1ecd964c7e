import type { Session } from '@toolpost/protocol';
import { type Agent, createAgent, defaultModelOf } from '../agent.ts';
import type { StoredSession } from '../sessions/session-store.ts';
import type { LiveSurroundings } from './live-surroundings.ts';

/** The session that an agent works for: as it is granted, and as it is kept. */
export interface AgentsSession {
  readonly session: Session;
  readonly stored: StoredSession;
}

/** The agent of a session, made anew when its model changes. */
export class SessionAgent {
  readonly #around: Pick<LiveSurroundings, 'host' | 'store' | 'environment'>;
  readonly #of: AgentsSession;
  #agent: { readonly spec: string; readonly made: Promise<Agent> } | undefined;

  constructor(around: Pick<LiveSurroundings, 'host' | 'store' | 'environment'>, of: AgentsSession) {
    this.#around = around;
    this.#of = of;
  }

  /** The model of the next turn, in whichever process it was chosen. */
  get model(): string {
    return this.#of.stored.model ?? defaultModelOf(this.#around.host);
  }

  /** With the session's own model when none is given. @throws HostError MODEL_FAILED */
  get(given?: string): Promise<Agent> {
    const spec = given ?? this.model;
    if (this.#agent?.spec !== spec) {
      const { host, environment } = this.#around;
      const made = createAgent({ host, session: this.#of.session, model: spec, ...(environment && { environment }) });
      this.#agent = { spec, made };
      made.catch(() => {
        if (this.#agent?.made === made) this.forget();
      });
    }
    return this.#agent.made;
  }

  /** Keeps the model of a turn that begins. One that was chosen since it was asked for is that of the next turn. */
  keep(model: string, wasAskedFor: boolean): void {
    const { model: kept, session } = this.#of.stored;
    if (wasAskedFor ? kept !== model : kept === undefined) this.#around.store.update(session.id, { model });
  }

  /** What is granted to the session has changed. */
  forget(): void {
    this.#agent = undefined;
  }
}
