import type { LiveSessions, LiveSessionsOptions } from './live-sessions/live-sessions.ts';
import type { SessionStore } from './sessions/session-store.ts';
import { openHomeDir } from './settings/home-dir.ts';

/**
 * The sessions that are kept in the home directory that the environment names; without an environment, ones that are
 * kept in memory and end with the store. Whoever opens it closes it.
 * @throws HostError SESSION_STORE_FAILED with the remedy, or CONFIG_INVALID for a home that cannot be used.
 */
export async function openSessionStore(
  environment: Readonly<Record<string, string | undefined>> | undefined,
): Promise<SessionStore> {
  const homeDir = environment && (await openHomeDir(environment));
  const { createSessionStore } = await import('./sessions/create-session-store.ts');
  return createSessionStore(homeDir);
}

/** Runs the sessions of a store on a host. What it needs is loaded now: a command that only calls a tool does without. */
export async function openLiveSessions(options: LiveSessionsOptions): Promise<LiveSessions> {
  const { createLiveSessions } = await import('./live-sessions/live-sessions.ts');
  return createLiveSessions(options);
}
