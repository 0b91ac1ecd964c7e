import { eventSchema } from '@toolpost/protocol/schemas';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createServerWorld, followUntil, isTurnEnd, type ServerWorld } from './fixtures/server-world.ts';

let world: ServerWorld;
beforeAll(async () => {
  world = await createServerWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

describe('a turn', () => {
  it('is accepted at once, and its events come as `run --json` prints them and as they are stored', async () => {
    const client = world.client();
    const { id } = await client.createSession();
    const accepted = await client.postMessage(id, { text: 'stream' });
    expect(accepted).toMatchObject({ sessionId: id, seq: 0, turnsBefore: 0 });
    const events = await followUntil(client, id, isTurnEnd, accepted.position);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
    for (const event of events) expect(eventSchema.safeParse(event).success).toBe(true);
    expect(events[0]).toMatchObject({ type: 'turn-start', text: 'stream', sessionId: id });
    expect(events.at(-1)).toMatchObject({ type: 'turn-end', reason: 'completed' });
    expect(events).toEqual(world.store.events(id));
    expect(JSON.stringify(await client.history(id))).toContain('streamed');
  });

  it('of a session waits for the one before it, and turns of two sessions run at once', async () => {
    const client = world.client();
    const [one, two] = [await client.createSession(), await client.createSession()];
    await client.postMessage(one.id, { text: 'wait' });
    expect(await client.postMessage(one.id, { text: 'stream' })).toMatchObject({ turnsBefore: 1 });
    await client.postMessage(two.id, { text: 'stream' });
    const [first] = await followUntil(client, two.id, isTurnEnd);
    expect(first?.type).toBe('turn-start');
    expect(await client.getSession(one.id)).toMatchObject({ openTurns: 2, isRunning: true });
    expect(await client.cancel(one.id)).toBe(2);
    const events = await followUntil(client, one.id, isTurnEnd);
    expect(events.at(-1)).toMatchObject({ type: 'turn-end', reason: 'cancelled' });
  });

  it('goes on when nobody follows it', async () => {
    const client = world.client();
    const { id } = await client.createSession();
    await client.postMessage(id, { text: 'pause' });
    await followUntil(client, id, ({ type }) => type === 'tool-output-delta');
    const events = await followUntil(client, id, isTurnEnd);
    expect(events.at(-1)).toMatchObject({ reason: 'completed' });
  });

  it('may shorten the time of its calls', async () => {
    const client = world.client();
    const { id } = await client.createSession();
    await client.postMessage(id, { text: 'wait', timeoutMs: 50 });
    const events = await followUntil(client, id, isTurnEnd);
    expect(events.find(({ type }) => type === 'tool-call-end')).toMatchObject({ outcome: 'timed-out' });
  });

  it('is not taken on where a hundred wait', async () => {
    const client = world.client();
    const { id } = await client.createSession();
    for (let turn = 0; turn < 100; turn++) await client.postMessage(id, { text: 'wait' });
    await expect(client.postMessage(id, { text: 'wait' })).rejects.toMatchObject({ status: 429, code: 'SERVER_BUSY' });
    expect(await client.cancel(id)).toBe(100);
  });

  it('with a model that is none is refused before it begins', async () => {
    const client = world.client();
    const { id } = await client.createSession();
    await expect(client.postMessage(id, { text: 'x', model: 'nothing' })).rejects.toMatchObject({
      status: 422,
      code: 'MODEL_FAILED',
    });
    expect((await client.getSession(id)).lastSeq).toBe(0);
  });

  it('asks its user, who answers once', async () => {
    const client = world.client();
    const { id } = await client.createSession();
    await client.postMessage(id, { text: 'deploy' });
    const asked = (await followUntil(client, id, ({ type }) => type === 'approval-request')).at(-1);
    const [pending] = await client.approvals(id);
    expect(asked).toMatchObject({ ...pending, name: 'deploy' });
    const approvalId = pending?.approvalId ?? '';
    await client.answerApproval(id, approvalId, { answer: 'once' });
    await expect(client.answerApproval(id, approvalId, { answer: 'no' })).rejects.toMatchObject({
      status: 404,
      code: 'NOT_FOUND',
    });
    const events = await followUntil(client, id, isTurnEnd);
    expect(events.find(({ type }) => type === 'approval-end')).toMatchObject({
      approvalId,
      answer: 'once',
      by: 'the operator',
    });
    expect(events.find(({ type }) => type === 'tool-call-end')).toMatchObject({ outcome: 'completed' });
    expect(await client.approvals(id)).toEqual([]);
  });

  it('that asks and is cancelled asks no more', async () => {
    const client = world.client();
    const { id } = await client.createSession();
    await client.postMessage(id, { text: 'deploy' });
    await followUntil(client, id, ({ type }) => type === 'approval-request');
    await client.cancel(id);
    await followUntil(client, id, isTurnEnd);
    expect(await client.approvals(id)).toEqual([]);
  });
});
