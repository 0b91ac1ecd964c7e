import { expect, it } from 'vitest';
import type { Conversation } from '../conversation.ts';
import { ChatClient } from './chat-client.ts';
import { listedConversation } from './commands/fixtures/listed-conversation.ts';

/** What stands in a chat after a prompt, as sign and text. */
async function shownAfter(turn: Conversation['turn']): Promise<string[]> {
  const conversation = Object.assign(listedConversation().conversation, { turn });
  const client = new ChatClient({ conversation, timeoutMs: undefined, columns: () => 80 });
  client.send('do the work');
  await expect.poll(() => client.state.isBusy || client.state.queued.length > 0).toBe(false);
  client.leave();
  return client.transcript.entries.map((entry) => `${entry.kind} ${'text' in entry ? entry.text : ''}`);
}

it('keeps a prompt in sight that no turn could begin with, and its end says why', async () => {
  const refuses: Conversation['turn'] = () => Promise.reject(new Error('the server is closing'));
  expect(await shownAfter(refuses)).toEqual(['prompt do the work', 'note the server is closing']);
});

it('shows it once where the turn had begun', async () => {
  const breaks: Conversation['turn'] = async (text, { onEvent }) => {
    onEvent({ type: 'turn-start', text, seq: 1, at: 0, sessionId: 's', turnId: 't' });
    throw new Error('the connection is lost');
  };
  expect(await shownAfter(breaks)).toEqual(['prompt do the work', 'note the connection is lost']);
});

it('knows at once that a plugin broke in the middle of a turn', async () => {
  let state = 'active';
  const ending = Promise.withResolvers<never>();
  const conversation = Object.assign(listedConversation().conversation, {
    plugins: async () => [{ id: 'frail', version: '1.0.0', runtime: 'stdio', state, tools: [] }],
    turn: (async (_text, { onEvent }) => {
      state = 'error';
      onEvent({ type: 'plugin-state', plugin: 'frail', state: 'error', error: 'gone', seq: 1, at: 0, sessionId: 's' });
      return ending.promise;
    }) as Conversation['turn'],
  });
  const client = new ChatClient({ conversation, timeoutMs: undefined, columns: () => 80 });
  client.send('do the work');
  await expect.poll(() => client.state.plugins).toEqual({ count: 1, failing: ['frail'] });
  expect(client.state.isBusy).toBe(true);
  client.leave();
  ending.reject(new Error('over'));
  await client.left;
});
