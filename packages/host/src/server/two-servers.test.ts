import { createApiClient } from '@toolpost/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLiveSessions } from '../live-sessions/live-sessions.ts';
import { createSessionStore } from '../sessions/create-session-store.ts';
import { createServerWorld, followUntil, isTurnEnd, type ServerWorld, TOKEN } from './fixtures/server-world.ts';
import { serve } from './serve.ts';

let world: ServerWorld;
let second: Awaited<ReturnType<typeof secondServer>>;
beforeEach(async () => {
  world = await createServerWorld();
  second = await secondServer();
});
afterEach(async () => {
  await second.close();
  await world[Symbol.asyncDispose]();
});

/** Another server of the same home, with a host and a store of its own. */
async function secondServer() {
  const environment = { ...process.env, TOOLPOST_HOME: world.homeDir, TOOLPOST_TOKEN: TOKEN };
  const host = await world.open({ yes: false, environment });
  const store = createSessionStore(world.homeDir);
  const sessions = createLiveSessions({ host, store, environment });
  const server = await serve({ host, store, sessions, token: TOKEN, port: 0, environment, servesClient: false });
  return {
    client: createApiClient({ baseUrl: server.url, token: TOKEN, environment: globalThis }),
    async close() {
      await server.close();
      await host.close();
      store.close();
    },
  };
}

async function running(text: string) {
  const here = world.client();
  const { id } = await here.createSession();
  await here.postMessage(id, { text });
  return { id, here, there: second.client };
}

describe('a turn of another server of the same home', () => {
  it('is cancelled, with all that wait here and there', async () => {
    const { id, here, there } = await running('wait');
    await followUntil(here, id, ({ type }) => type === 'tool-output-delta');
    expect(await there.cancel(id)).toBe(1);
    expect((await followUntil(there, id, isTurnEnd)).at(-1)).toMatchObject({ type: 'turn-end', reason: 'cancelled' });
    expect(await there.cancel(id)).toBe(0);
  });

  it('shows its questions and takes an answer, once', async () => {
    const { id, here, there } = await running('deploy');
    await followUntil(there, id, ({ type }) => type === 'approval-request');
    const [asked] = await there.approvals(id);
    expect([asked]).toEqual(await here.approvals(id));
    await there.answerApproval(id, asked?.approvalId ?? '', { answer: 'once' });
    const gone = { status: 404, code: 'NOT_FOUND' };
    await expect(there.answerApproval(id, asked?.approvalId ?? '', { answer: 'no' })).rejects.toMatchObject(gone);
    const events = await followUntil(there, id, isTurnEnd);
    expect(events.find(({ type }) => type === 'tool-call-end')).toMatchObject({ outcome: 'completed' });
  });

  it('shows its forms: what is filled in is for its own server, a decline is taken here', async () => {
    const { id, there } = await running('survey');
    await followUntil(there, id, ({ type }) => type === 'form-request');
    const [form] = await there.forms(id);
    const filled = there.answerForm(id, form?.formId ?? '', { action: 'accept', content: { size: 7 } });
    await expect(filled).rejects.toMatchObject({ status: 409, code: 'RUNS_ELSEWHERE' });
    await there.answerForm(id, form?.formId ?? '', { action: 'decline' });
    expect((await followUntil(there, id, isTurnEnd)).find(({ type }) => type === 'form-end')).toMatchObject({
      action: 'decline',
    });
  });
});
