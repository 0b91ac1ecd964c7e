import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ToolpostEvent } from '@toolpost/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createElsewhere } from './elsewhere.ts';
import { answers, callsTools, createLiveWorld, type LiveWorld } from './fixtures/live-world.ts';
import type { LiveSession, LiveTurnOptions } from './live-session.ts';
import type { LiveSessions } from './live-sessions.ts';

let world: LiveWorld;
beforeEach(async () => {
  world = await createLiveWorld({}, { yes: false, allow: ['wait', 'survey'] });
});
afterEach(() => world[Symbol.asyncDispose]());

async function seen<Type extends ToolpostEvent['type']>(
  session: LiveSession,
  type: Type,
): Promise<Extract<ToolpostEvent, { type: Type }>> {
  for await (const batch of session.follow()) {
    for (const event of batch) if (event.type === type) return event as Extract<ToolpostEvent, { type: Type }>;
  }
  throw new Error(`no ${type}`);
}

/** A session whose turn runs in one host, and the same session in another one. */
async function runningTurn(tool: string, options: LiveTurnOptions = { approve: 'clients', ask: 'clients' }) {
  world.script.push(callsTools([tool, '{}']), answers('Done.'));
  const session = await world.live.open({ user: 'ann' });
  const turn = session.turn('go', options);
  await seen(session, 'tool-call-start');
  const { live, store } = await world.second();
  const other = await live.resume(session.session.id);
  return { session, turn, other, live, store };
}

const ANN = { user: 'ann', by: 'ann' } as const;
const elsewhere = expect.objectContaining({
  code: 'RUNS_ELSEWHERE',
  message: expect.stringContaining(`process ${process.pid} `),
});

describe('a turn that another host runs', () => {
  it('is cancelled from here', async () => {
    const { turn, other } = await runningTurn('wait');
    expect(other.cancel()).toBe(0);
    expect(await other.elsewhere.cancel()).toBe(1);
    expect(await turn).toMatchObject({ reason: 'cancelled' });
    expect(await other.elsewhere.cancel()).toBe(0);
  });

  it('gets the answers to its questions from here, each once and by its user', async () => {
    const { session, turn, other } = await runningTurn('stream');
    const { approvalId } = await seen(session, 'approval-request');
    expect(await other.elsewhere.questions()).toEqual({ approvals: session.pendingApprovals(), forms: [] });
    const answer = { ...ANN, answer: 'once' } as const;
    expect(other.answerApproval(approvalId, { ...answer, user: 'bob' })).toBe('not-yours');
    expect(await other.elsewhere.answerApproval('other', answer)).toBe('gone');
    expect(await other.elsewhere.answerApproval(approvalId, answer)).toBe('taken');
    expect(await turn).toMatchObject({ reason: 'completed' });
    expect(await other.elsewhere.answerApproval(approvalId, answer)).toBe('gone');
    expect(session.events()).toContainEqual(
      expect.objectContaining({ type: 'approval-end', answer: 'once', by: 'ann' }),
    );
  });

  it('has its forms declined from here, and what is filled in goes through no file', async () => {
    const { session, turn, other, store } = await runningTurn('survey');
    const { formId } = await seen(session, 'form-request');
    expect((await other.elsewhere.questions()).forms).toMatchObject([{ formId }]);
    const filled = { ...ANN, action: 'accept', content: { size: 7 } } as const;
    await expect(other.elsewhere.answerForm(formId, filled)).rejects.toEqual(elsewhere);
    expect(store.relay.waiting()).toEqual([]);
    expect(await other.elsewhere.answerForm(formId, { ...ANN, action: 'decline' })).toBe('taken');
    await turn;
    expect(session.events()).toContainEqual(
      expect.objectContaining({ type: 'form-end', action: 'decline', by: 'ann' }),
    );
  });

  it('asks at its own terminal alone what it asks there, and says which process that is', async () => {
    const desk = Promise.withResolvers<{ answer: 'no'; by: string }>();
    const { session, turn, other } = await runningTurn('stream', { approve: () => desk.promise });
    const { approvalId } = await seen(session, 'approval-request');
    await expect(other.elsewhere.answerApproval(approvalId, { ...ANN, answer: 'once' })).rejects.toEqual(elsewhere);
    desk.resolve({ answer: 'no', by: 'the terminal' });
    await turn;
  });

  it('of a process that does not answer is left as it is, which is said', async () => {
    const { session } = await world.live.open();
    const { store } = await world.second();
    store.beginTurn(session.id);
    const other = createElsewhere(world.store, session.id, 60);
    await expect(other.cancel()).rejects.toEqual(elsewhere);
    expect(store.relay.waiting()).toEqual([]);
    store.endTurn(session.id);
  });

  it('that ends while it is asked about is nothing to cancel any more', async () => {
    const { session } = await world.live.open();
    const { store } = await world.second();
    store.beginTurn(session.id);
    const cancelled = createElsewhere(world.store, session.id).cancel();
    store.endTurn(session.id);
    expect(await cancelled).toBe(0);
  });
});

describe('a turn that waits for one of another host', () => {
  it('and is cancelled has its start and its end behind that one', async () => {
    const { session, turn, other } = await runningTurn('wait');
    const waiting = other.turn('never mind', { turnId: 'mine' });
    expect(other.cancel()).toBe(1);
    expect(await waiting).toMatchObject({ reason: 'cancelled' });
    const ended = (async () => {
      for await (const batch of other.follow())
        if (batch.some((event) => event.type === 'turn-start' && event.turnId === 'mine')) return;
    })();
    session.cancel();
    await turn;
    await ended;
    const events = session.events();
    const end = { type: 'turn-end', reason: 'cancelled' };
    expect(events.slice(-3)).toMatchObject([end, { type: 'turn-start', text: 'never mind', turnId: 'mine' }, end]);
    expect(session.history().length).toBe(3);
  });
});

describe('what another host changed of a session', () => {
  let session: LiveSession;
  let other: LiveSession;
  let live: LiveSessions;
  beforeEach(async () => {
    world.script.push(answers('One.'), answers('Two.'));
    session = await world.live.open();
    await session.turn('first');
    ({ live } = await world.second());
    other = await live.resume(session.session.id);
  });

  it('its model, is the model of the next turn here', async () => {
    await other.setModel('demo');
    expect(session.model).toBe('demo');
    expect(await session.turn('second')).toMatchObject({ text: expect.not.stringContaining('Two.') });
    expect(session.model).toBe('demo');
  });

  it('its roots, are those of the next turn here', async () => {
    const root = join(world.dir, 'other');
    mkdirSync(root);
    world.store.update(session.session.id, { roots: [root] });
    await other.turn('second');
    expect(other.session.roots).toEqual([root]);
  });
});

describe('while a turn runs', () => {
  it('another model is taken at once, for the turn after it', async () => {
    const { session, turn } = await runningTurn('wait');
    await session.setModel('demo');
    await expect(session.setModel('nonsense')).rejects.toMatchObject({ code: 'MODEL_FAILED' });
    expect([session.model, session.openTurns]).toEqual(['demo', 1]);
    session.cancel();
    await turn;
    expect(session.model).toBe('demo');
  });

  it('a copy is made at once, in which the turn is cut off', async () => {
    const { session, turn } = await runningTurn('wait');
    await seen(session, 'tool-output-delta');
    const copy = await session.fork();
    expect(copy.events().at(-1)).toMatchObject({
      type: 'turn-error',
      message: expect.stringContaining('copy was made in the middle'),
    });
    expect(copy.history().at(-1)).toMatchObject({ role: 'tool' });
    expect(session.openTurns).toBe(1);
    expect(await copy.turn('go on')).toMatchObject({ text: 'Done.' });
    session.cancel();
    expect(await turn).toMatchObject({ reason: 'cancelled' });
  });
});
