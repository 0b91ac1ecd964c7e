import { afterAll, beforeAll, expect, it } from 'vitest';
import { ANN_TOKEN, createServerWorld, followUntil, isTurnEnd, type ServerWorld } from './fixtures/server-world.ts';

let world: ServerWorld;
beforeAll(async () => {
  world = await createServerWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

/** A turn whose tool waits for what is filled in. */
async function surveyed() {
  const client = world.client();
  const { id } = await client.createSession();
  await client.postMessage(id, { text: 'survey', turnId: 'mine' });
  const events = await followUntil(client, id, ({ type }) => type === 'form-request');
  const [form] = await client.forms(id);
  return { client, id, events, form, formId: form?.formId ?? '' };
}

it('a form of a tool is filled in over HTTP, once and as its schema says', async () => {
  const { client, id, events, form, formId } = await surveyed();
  expect(events.at(-1)).toMatchObject({ ...form, name: 'survey', message: 'How large?' });
  expect(events[0]).toMatchObject({ type: 'turn-start', turnId: 'mine' });
  const wrong = client.answerForm(id, formId, { action: 'accept', content: { size: 'x' } });
  await expect(wrong).rejects.toMatchObject({
    status: 400,
    code: 'REQUEST_INVALID',
    message: expect.stringContaining('size must be integer'),
  });
  await client.answerForm(id, formId, { action: 'accept', content: { size: 7 } });
  const late = client.answerForm(id, formId, { action: 'cancel' });
  await expect(late).rejects.toMatchObject({ status: 404, code: 'NOT_FOUND' });
  const rest = await followUntil(client, id, isTurnEnd);
  expect(rest.find(({ type }) => type === 'form-end')).toMatchObject({ formId, action: 'accept', by: 'the operator' });
  expect(rest.find(({ type }) => type === 'tool-call-end')).toMatchObject({
    result: { text: 'said {"action":"accept","content":{"size":7}}' },
  });
  expect(await client.forms(id)).toEqual([]);
});

it("another's form is not there", async () => {
  const { client, id, formId } = await surveyed();
  const other = world.client(ANN_TOKEN);
  await expect(other.forms(id)).rejects.toMatchObject({ status: 404, code: 'SESSION_NOT_FOUND' });
  await expect(other.answerForm(id, formId, { action: 'cancel' })).rejects.toMatchObject({ status: 404 });
  await client.cancel(id);
  await followUntil(client, id, isTurnEnd);
  expect(await client.forms(id)).toEqual([]);
});
