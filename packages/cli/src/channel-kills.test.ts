import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openSessionStore, readLog } from '@toolpost/host';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type CommandWorld, createCommandWorld } from './fixtures/run-toolpost.ts';
import { type Serving, serveChannel, startEchoModel } from './fixtures/webhook-world.ts';

/**
 * A channel that sends one message in each of its lives until it has the reply, notes in a file what it hands on, and
 * kills its host and itself once, at the point that the file `kills` names.
 */
const PROGRAM = `
import { appendFileSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
const send = (message) => process.stdout.write(JSON.stringify(message) + '\\n');
const host = process.ppid;
const kill = (point) => {
  if (!existsSync('kills') || readFileSync('kills', 'utf8') !== point) return;
  rmSync('kills');
  if (process.ppid === host) process.kill(host, 'SIGKILL');
  process.exit();
};
for await (const line of createInterface({ input: process.stdin })) {
  const { type, method, id, metadata, content } = JSON.parse(line);
  if (method === 'activate') send({ protocolVersion: 2, channel_provider: { name: 'once', accepts_replies: true } });
  else if (type === 'channel_config') {
    send({ id: 'in', method: 'send_inbound', params: { chat_id: 'c', content: 'hello', request_id: 'r' } });
    kill('sent');
  } else if (type === 'rpc') send({ id, result: 'pong' });
  else if (id === 'in') kill('acknowledged');
  else if (type === 'stream_content') kill('streaming');
  else if (type === 'text') {
    kill('replied');
    appendFileSync('handed-on', metadata.reply_id + ' ' + content + '\\n');
    send({ id: 'accept', method: 'accept_reply', params: { reply_id: metadata.reply_id } });
  } else if (id === 'accept') kill('accepted');
}`;

let world: CommandWorld;
let model: Awaited<ReturnType<typeof startEchoModel>>;
let serving: Serving | undefined;
beforeEach(async () => {
  world = createCommandWorld();
  model = await startEchoModel(600);
});
afterEach(async () => {
  serving?.child.kill('SIGKILL');
  await serving?.exited;
  await model.close();
  rmSync(world.dir, { recursive: true, force: true });
});

/** What became of the message: its state, the answers in the log of its session, and what the model knows it as. */
async function fateOfMessage() {
  const store = await openSessionStore({ ...process.env, TOOLPOST_HOME: join(world.dir, 'home') });
  try {
    const states = (['waiting', 'replied', 'done'] as const).filter(
      (state) => store.inbox.list('once', state).length > 0,
    );
    const [stored] = store.list({ channel: 'once' });
    const id = stored?.session.id ?? '';
    const log = stored ? [...readLog((page) => store.events(id, page))] : [];
    const answers = log.filter((event) => event.type === 'turn-end' && event.reason === 'completed').length;
    const said = stored ? store.history(id).filter(({ role }) => role === 'user').length : 0;
    return { states, answers, said };
  } finally {
    store.close();
  }
}

describe('a host that is killed', () => {
  it.each(['sent', 'acknowledged', 'streaming', 'replied', 'accepted'])(
    'when a message of a channel is %s leaves it to be answered once, and its reply to be handed on once',
    async (point) => {
      const program = { runtime: 'channel', executable: process.execPath, args: ['main.mjs'] };
      const provider = { contributes: { channelProvider: { name: 'once' } }, permissions: ['channels.register'] };
      world.write('home/plugins/once/plugin.json', {
        id: 'once',
        name: 'Once',
        version: '1.0.0',
        ...program,
        ...provider,
      });
      world.write('home/plugins/once/main.mjs', PROGRAM);
      world.write('home/config.json', { model: model.model, channels: { once: { enabled: true } } });
      const dir = join(world.dir, 'home/plugins/once');
      writeFileSync(join(dir, 'kills'), point);
      // In the middle of an answer there is one state of it to tell.
      const release = point === 'streaming' ? model.hold() : () => undefined;
      serving = await serveChannel(world, 'once').catch(() => undefined);
      await serving?.exited;
      release();
      expect(existsSync(join(dir, 'kills'))).toBe(false);
      serving = await serveChannel(world, 'once');
      await expect.poll(async () => (await fateOfMessage()).states, { timeout: 30_000 }).toEqual(['done']);
      expect(await fateOfMessage()).toEqual({ states: ['done'], answers: 1, said: 1 });
      const handedOn = readFileSync(join(dir, 'handed-on'), 'utf8');
      expect(handedOn).toMatch(/^\d+ You said: hello\n$/);
    },
    120_000,
  );
});
