import { rmSync } from 'node:fs';
import type { ToolpostEvent } from '@toolpost/protocol';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createHostWorld, type HostWorld } from '../fixtures/host-world.ts';
import type { Host } from '../host.ts';
import { startStrictProvider } from '../models/fixtures/strict-provider.ts';
import { createSessionStore } from '../sessions/create-session-store.ts';
import type { SessionStore } from '../sessions/session-store.ts';
import { STREAMING_TOOLS } from './fixtures/random-turns.ts';
import type { LiveSession } from './live-session.ts';
import { createLiveSessions, type LiveSessions } from './live-sessions.ts';

const SESSIONS = 50;
const CLIENTS = 2;

let world: HostWorld;
let provider: Awaited<ReturnType<typeof startStrictProvider>>;
let host: Host;
let store: SessionStore;
let live: LiveSessions;
beforeEach(async () => {
  world = createHostWorld();
  world.addNative('tools', STREAMING_TOOLS);
  provider = await startStrictProvider(Math.random);
  host = await world.open();
  store = createSessionStore(world.homeDir);
  live = createLiveSessions({ host, store });
});
afterEach(async () => {
  await live.close();
  await host.close();
  store.close();
  await provider[Symbol.asyncDispose]();
  rmSync(world.dir, { recursive: true, force: true });
});

/** A client that loses its connection after a few batches, again and again, and goes on where it was. */
async function unsteadyClient(session: LiveSession): Promise<{ seen: ToolpostEvent[]; drops: number }> {
  const seen: ToolpostEvent[] = [];
  for (let drops = 0; ; drops++) {
    const connection = new AbortController();
    let batchesLeft = 1 + Math.floor(Math.random() * 5);
    for await (const batch of session.follow({ afterSeq: seen.length, abortSignal: connection.signal })) {
      seen.push(...batch);
      if (batch.some(({ type }) => type === 'turn-end' || type === 'turn-error')) return { seen, drops };
      if (Math.random() < 0.3) await new Promise((resolve) => setTimeout(resolve, Math.random() * 10));
      if (--batchesLeft === 0) connection.abort();
    }
  }
}

it(`${SESSIONS} sessions stream at once: no event is lost, reordered or crossed, whatever connections drop`, async () => {
  const model = `openai-compatible:m@${provider.url}`;
  const sessions = await Promise.all(Array.from({ length: SESSIONS }, () => live.open({ model })));
  const clients = sessions.map((session) => Array.from({ length: CLIENTS }, () => unsteadyClient(session)));
  await Promise.all(sessions.map((session) => session.turn('go')));
  let drops = 0;
  for (const [index, session] of sessions.entries()) {
    const log = session.events();
    expect(log.map(({ seq, sessionId }) => [seq, sessionId])).toEqual(log.map((_, at) => [at + 1, session.session.id]));
    for (const client of await Promise.all(clients[index] ?? [])) {
      expect(client.seen).toEqual(log);
      drops += client.drops;
    }
    const streamed = log.flatMap((event) => (event.type === 'tool-output-delta' ? event.text.trim().split('\n') : []));
    expect(streamed.filter((line) => !line.startsWith(session.session.id))).toEqual([]);
  }
  expect(drops).toBeGreaterThan(SESSIONS);
  expect(provider.faults).toEqual([]);
}, 120_000);
