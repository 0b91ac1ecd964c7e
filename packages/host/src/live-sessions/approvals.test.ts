import { afterEach, describe, expect, it } from 'vitest';
import { answers, callsTools, createLiveWorld, type LiveWorld } from './fixtures/live-world.ts';
import type { LiveSession, PendingApproval } from './live-session.ts';
import type { LiveSessionsOptions } from './live-sessions.ts';

let world: LiveWorld;
afterEach(() => world[Symbol.asyncDispose]());

/** A session of ann's whose turn waits for her answer. */
async function waitingTurn(options: Partial<LiveSessionsOptions> = {}) {
  world = await createLiveWorld(options, { yes: false });
  world.script.push(callsTools(['stream', '{}']), answers('Done.'));
  const session = await world.live.open({ user: 'ann' });
  const turn = session.turn('go', { approve: 'clients' });
  const pending = await asked(session);
  return { session, turn, pending };
}

async function asked(session: LiveSession): Promise<PendingApproval> {
  for await (const batch of session.follow()) {
    const request = batch.find(({ type }) => type === 'approval-request');
    if (request?.type === 'approval-request') return request;
  }
  throw new Error('nothing was asked');
}

const outcomesOf = (session: LiveSession) =>
  session.events().flatMap((event) => (event.type === 'tool-call-end' ? [event.outcome] : []));
const answersOf = (session: LiveSession) =>
  session.events().flatMap((event) => (event.type === 'approval-end' ? [`${event.answer} by ${event.by}`] : []));

describe('a question to the clients of a session', () => {
  it("is answered by the session's user alone, and once", async () => {
    const { session, turn, pending } = await waitingTurn();
    expect(session.pendingApprovals()).toMatchObject([{ approvalId: pending.approvalId, name: 'stream' }]);
    const answer = { answer: 'once' as const, by: 'ann', user: 'ann' };
    expect(session.answerApproval(pending.approvalId, { ...answer, user: 'bob' })).toBe('not-yours');
    expect(session.answerApproval('other', answer)).toBe('gone');
    expect(session.answerApproval(pending.approvalId, answer)).toBe('taken');
    expect(session.answerApproval(pending.approvalId, { ...answer, answer: 'no' })).toBe('gone');
    expect((await turn).reason).toBe('completed');
    expect([outcomesOf(session), answersOf(session)]).toEqual([['completed'], ['once by ann']]);
    expect(session.pendingApprovals()).toEqual([]);
  });

  it('passes the reason of a no on to the model', async () => {
    const { session, turn, pending } = await waitingTurn();
    session.answerApproval(pending.approvalId, { answer: 'no', by: 'ann', user: 'ann', reason: 'not today' });
    await turn;
    expect(outcomesOf(session)).toEqual(['denied']);
    expect(JSON.stringify(world.requests.at(-1)?.body.messages)).toContain('not today');
  });

  it('is a no when its time is over, which its event says', async () => {
    const { session, turn, pending } = await waitingTurn({ approvalTimeoutMs: 30 });
    expect((pending.expiresAt ?? 0) - Date.now()).toBeLessThanOrEqual(30);
    await turn;
    expect([outcomesOf(session), answersOf(session)]).toEqual([['denied'], ['no by the host']]);
  });

  it('is gone when its turn is cancelled', async () => {
    const { session, turn, pending } = await waitingTurn();
    session.cancel();
    expect((await turn).reason).toBe('cancelled');
    expect(session.pendingApprovals()).toEqual([]);
    expect(session.answerApproval(pending.approvalId, { answer: 'once', by: 'ann', user: 'ann' })).toBe('gone');
  });

  it('is a deny where nobody is asked', async () => {
    world = await createLiveWorld({}, { yes: false });
    world.script.push(callsTools(['stream', '{}']), answers('Done.'));
    const session = await world.live.open();
    await session.turn('go');
    expect([outcomesOf(session), answersOf(session)]).toEqual([['denied'], []]);
  });

  it('comes after everything that a terminal shows before it', async () => {
    world = await createLiveWorld({}, { yes: false });
    world.script.push(callsTools(['stream', '{}']), answers('Done.'));
    const session = await world.live.open();
    const shown: string[] = [];
    session.subscribe({}, ({ type }) => shown.push(type));
    const before: string[] = [];
    await session.turn('go', {
      approve: async () => {
        before.push(...shown);
        return { answer: 'once', by: 'terminal' };
      },
    });
    expect(before.at(-1)).toBe('approval-request');
    expect(before).toContain('tool-call-start');
  });
});
