import type { ToolpostEvent } from '@toolpost/protocol';
import { afterEach, describe, expect, it } from 'vitest';
import { answers, callsTools, createLiveWorld, type LiveWorld } from './fixtures/live-world.ts';
import type { LiveSession, PendingForm } from './live-session.ts';
import type { LiveSessionsOptions } from './live-sessions.ts';

let world: LiveWorld;
afterEach(() => world[Symbol.asyncDispose]());

/** A session of ann's whose tool waits for what she fills in. */
async function waitingForm(options: Partial<LiveSessionsOptions> = {}) {
  world = await createLiveWorld(options);
  world.script.push(callsTools(['survey', '{}']), answers('Done.'));
  const session = await world.live.open({ user: 'ann' });
  const turn = session.turn('go', { ask: 'clients' });
  return { session, turn, form: await formOf(session) };
}

async function formOf(session: LiveSession): Promise<PendingForm> {
  for await (const batch of session.follow()) {
    const request = batch.find(({ type }) => type === 'form-request');
    if (request?.type === 'form-request') return request;
  }
  throw new Error('nothing was asked');
}

const resultsOf = (session: LiveSession) => texts(session.events(), 'tool-call-end', ({ result }) => result.text);
const endsOf = (session: LiveSession) => texts(session.events(), 'form-end', ({ action, by }) => `${action} by ${by}`);

function texts<Type extends ToolpostEvent['type']>(
  events: readonly ToolpostEvent[],
  type: Type,
  read: (event: Extract<ToolpostEvent, { type: Type }>) => string,
): string[] {
  return events.flatMap((event) => (event.type === type ? [read(event as never)] : []));
}

describe('a form of a tool, to the clients of a session', () => {
  it("is filled in by the session's user alone, and once", async () => {
    const { session, turn, form } = await waitingForm();
    expect(form).toMatchObject({ plugin: 'tools', name: 'survey', message: 'How large?' });
    expect(session.pendingForms()).toMatchObject([{ formId: form.formId, schema: { required: ['size'] } }]);
    const filled = { action: 'accept' as const, content: { size: 3 }, by: 'ann', user: 'ann' };
    expect(await session.answerForm(form.formId, { ...filled, user: 'bob' })).toBe('not-yours');
    expect(await session.answerForm('other', filled)).toBe('gone');
    expect(await session.answerForm(form.formId, filled)).toBe('taken');
    expect(await session.answerForm(form.formId, filled)).toBe('gone');
    expect((await turn).reason).toBe('completed');
    expect(resultsOf(session)).toEqual(['{"action":"accept","content":{"size":3}}']);
    expect([endsOf(session), session.pendingForms()]).toEqual([['accept by ann'], []]);
  });

  it('stands when what was filled in does not fit, and says what', async () => {
    const { session, turn, form } = await waitingForm();
    const answer = (content: Record<string, unknown>) =>
      session.answerForm(form.formId, { action: 'accept', content, by: 'ann', user: 'ann' });
    expect(await answer({ size: 'large' })).toEqual({ misfit: 'size must be integer' });
    expect(await answer({})).toEqual({ misfit: expect.stringContaining("'size'") });
    expect(await session.answerForm(form.formId, { action: 'decline', by: 'ann', user: 'ann' })).toBe('taken');
    await turn;
    expect(resultsOf(session)).toEqual(['{"action":"decline"}']);
  });

  it('keeps what was filled in out of its events', async () => {
    const { session, turn, form } = await waitingForm();
    await session.answerForm(form.formId, { action: 'accept', content: { size: 4711 }, by: 'ann', user: 'ann' });
    await turn;
    const stored = session.events().filter(({ type }) => type.startsWith('form-'));
    expect(stored).toHaveLength(2);
    expect(JSON.stringify(stored)).not.toContain('4711');
  });

  it('is cancelled when its time is over', async () => {
    const { session, turn, form } = await waitingForm({ approvalTimeoutMs: 30 });
    expect((form.expiresAt ?? 0) - Date.now()).toBeLessThanOrEqual(30);
    await turn;
    expect([resultsOf(session), endsOf(session)]).toEqual([['{"action":"cancel"}'], ['cancel by the host']]);
  });

  it('is taken back when its turn is cancelled, before the end of its call', async () => {
    const { session, turn, form } = await waitingForm();
    session.cancel();
    expect((await turn).reason).toBe('cancelled');
    expect(session.pendingForms()).toEqual([]);
    const late = { action: 'decline' as const, by: 'ann', user: 'ann' };
    expect(await session.answerForm(form.formId, late)).toBe('gone');
    const ends = session
      .events()
      .flatMap(({ type }) => (type === 'form-end' || type === 'tool-call-end' ? [type] : []));
    expect(ends).toEqual(['form-end', 'tool-call-end']);
  });

  it('is cancelled where nobody is asked, and shown to nobody', async () => {
    world = await createLiveWorld();
    world.script.push(callsTools(['survey', '{}']), answers('Done.'));
    const session = await world.live.open();
    await session.turn('go');
    expect([resultsOf(session), endsOf(session)]).toEqual([['{"action":"cancel"}'], []]);
  });
});
