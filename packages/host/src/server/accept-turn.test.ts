import { expect, test } from 'vitest';
import { createServerWorld, followUntil, isTurnEnd } from './fixtures/server-world.ts';

test('a session tells of messages whose turns run or wait, as long as they do', async () => {
  await using world = await createServerWorld();
  const client = world.client();
  const { id } = await client.createSession();
  await client.postMessage(id, { text: 'wait', turnId: 'one' });
  await client.postMessage(id, { text: 'what comes next', turnId: 'two' });
  await client.postMessage(id, { text: 'of a client without names' });
  const messages = async () => (await client.getSession(id)).openMessages;
  expect(await messages()).toEqual([
    { turnId: 'one', text: 'wait' },
    { turnId: 'two', text: 'what comes next' },
  ]);
  await client.cancel(id);
  await followUntil(client, id, isTurnEnd);
  await expect.poll(messages).toEqual([]);
});
