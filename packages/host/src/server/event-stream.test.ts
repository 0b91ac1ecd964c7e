import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ToolpostEvent } from '@toolpost/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  bearer,
  createServerWorld,
  followUntil,
  isTurnEnd,
  type ServerWorld,
  TOKEN,
  wholeLog,
} from './fixtures/server-world.ts';

let world: ServerWorld;
beforeEach(async () => {
  world = await createServerWorld({ streamLimits: { heartbeatMs: 50, stallMs: 400 } });
});
afterEach(() => world[Symbol.asyncDispose]());

/** A connection to the events of a session that reads nothing until it is told to. */
async function openStalled(sessionId: string): Promise<Socket> {
  const socket = connect({ host: '127.0.0.1', port: world.server.port });
  await new Promise((resolve) => socket.once('connect', resolve));
  socket.pause();
  const head = `GET /api/sessions/${sessionId}/events HTTP/1.1\r\nhost: 127.0.0.1:${world.server.port}\r\n`;
  socket.write(`${head}authorization: Bearer ${TOKEN}\r\n\r\n`);
  return socket;
}

/** A reader that the server has begun to answer. */
async function openReader(sessionId: string): Promise<{ readonly text: Promise<string> }> {
  const socket = await openStalled(sessionId);
  const text = readAll(socket);
  await new Promise((resolve) => socket.once('data', resolve));
  return { text };
}

/** All that a connection gives until it ends. */
async function readAll(socket: Socket): Promise<string> {
  let text = '';
  socket.setEncoding('utf8').on('data', (part: string) => {
    text += part;
  });
  socket.on('error', () => undefined);
  socket.resume();
  await new Promise((resolve) => socket.once('close', resolve));
  return text;
}

const eventsIn = (text: string): ToolpostEvent[] =>
  [...text.matchAll(/^data: (\{"type":.*\})\r?$/gm)].map(([, data = '']) => JSON.parse(data));

describe('the events of a session', () => {
  it('come to a reader that takes none without holding up the turn, and go on where it was cut off', async () => {
    const client = world.client();
    const { id } = await client.createSession();
    // More than the buffers of both ends hold: what is not taken waits in the log, not in memory.
    const message = 'long '.repeat(4000);
    const entries = Array.from(
      { length: 700 },
      () => ({ type: 'event', body: { type: 'warning', message }, at: 1 }) as const,
    );
    world.store.append([{ sessionId: id, entries }]);
    const socket = await openStalled(id);
    const { position } = await client.postMessage(id, { text: 'stream' });
    const quick = await followUntil(client, id, isTurnEnd, position);
    expect(quick.at(-1)).toMatchObject({ reason: 'completed' });
    // The server looks at a reader's patience by its own clock; nothing tells of it to one that reads nothing.
    await sleep(1000);
    const got = eventsIn(await readAll(socket));
    const log = wholeLog(world.store, id);
    expect(got.length).toBeLessThan((await client.getSession(id)).lastSeq);
    expect(got).toEqual(log.slice(0, got.length));
    const cutAt = `${(await world.live.resume(id)).epoch}:${got.length}`;
    const { lastSeq } = await client.getSession(id);
    const rest = await followUntil(client, id, ({ seq }) => seq === lastSeq, cutAt);
    expect([...got, ...rest].map(({ seq }) => seq)).toEqual(Array.from({ length: lastSeq }, (_, index) => index + 1));
  }, 60_000);

  it('have a sign of life while nothing happens', async () => {
    const { id } = await world.client().createSession();
    const socket = await openStalled(id);
    const reading = readAll(socket);
    await sleep(300);
    socket.destroy();
    expect((await reading).match(/^:$/gm)?.length).toBeGreaterThan(3);
  });

  it('begin anew for a reader that knows another log, and say so', async () => {
    const client = world.client();
    const { id } = await client.createSession();
    await client.postMessage(id, { text: 'stream' });
    await followUntil(client, id, isTurnEnd);
    let resets = 0;
    const end = new AbortController();
    const seen: number[] = [];
    await client.follow({
      sessionId: id,
      position: 'another-epoch:5',
      signal: end.signal,
      onReset: () => void resets++,
      onEvent(event) {
        seen.push(event.seq);
        if (isTurnEnd(event)) end.abort();
      },
    });
    expect([resets, seen[0]]).toEqual([1, 1]);
    const ahead = await world.raw(`/api/sessions/${id}/events?after=x`, { headers: bearer() });
    expect([ahead.status, JSON.parse(ahead.text).code]).toEqual([400, 'REQUEST_INVALID']);
  });

  it('are the same for any number of readers at once, and nobody else’s', async () => {
    const client = world.client();
    const ids = await Promise.all(Array.from({ length: 10 }, async () => (await client.createSession()).id));
    const reading = ids.flatMap((id) =>
      [1, 2, 3].map(async () => ({ id, events: await followUntil(client, id, isTurnEnd) })),
    );
    for (const id of ids) await client.postMessage(id, { text: 'stream' });
    for (const { id, events } of await Promise.all(reading)) {
      expect(events).toEqual(wholeLog(world.store, id));
      expect(events.every(({ sessionId }) => sessionId === id)).toBe(true);
      const streamed = events.flatMap((event) => (event.type === 'tool-output-delta' ? [event.text] : [])).join('');
      expect(streamed).toBe(Array.from({ length: 40 }, (_, index) => `${id} line ${index}\n`).join(''));
    }
  });

  it('answer HEAD without streaming', async () => {
    const { id } = await world.client().createSession();
    const answer = await world.raw(`/api/sessions/${id}/events`, { method: 'HEAD', headers: bearer() });
    expect([answer.status, answer.headers['content-type'], answer.text]).toEqual([200, 'text/event-stream', '']);
  });
});

describe('the end of the server', () => {
  it('lets a turn finish, gives its last event to every reader, and takes nothing new', async () => {
    const client = world.client();
    const { id } = await client.createSession();
    await client.postMessage(id, { text: 'pause' });
    await followUntil(client, id, ({ type }) => type === 'tool-output-delta');
    const reading = await openReader(id);
    const closing = world.server.close({ graceMs: 5000 });
    await expect(client.postMessage(id, { text: 'stream' })).rejects.toMatchObject({
      status: expect.toBeOneOf([0, 503]),
    });
    await closing;
    const text = await reading.text;
    expect(eventsIn(text)).toEqual(wholeLog(world.store, id));
    expect(eventsIn(text).at(-1)).toMatchObject({ type: 'turn-end', reason: 'completed' });
    expect(text).toMatch(/event: end\n/);
  });

  it('cancels what does not finish in time, and loses no event of it', async () => {
    const client = world.client();
    const { id } = await client.createSession();
    await client.postMessage(id, { text: 'wait' });
    await followUntil(client, id, ({ type }) => type === 'tool-output-delta');
    const reading = await openReader(id);
    const beganMs = performance.now();
    await world.server.close({ graceMs: 200 });
    expect(performance.now() - beganMs).toBeGreaterThan(190);
    const events = eventsIn(await reading.text);
    expect(events.at(-1)).toMatchObject({ type: 'turn-end', reason: 'cancelled' });
    expect(events).toEqual(wholeLog(world.store, id));
  });

  it('does not wait for a reader that takes nothing', async () => {
    const client = world.client();
    const { id } = await client.createSession();
    const socket = await openStalled(id);
    await client.postMessage(id, { text: 'flood' });
    await followUntil(client, id, isTurnEnd);
    const beganMs = performance.now();
    await world.server.close();
    expect(performance.now() - beganMs).toBeLessThan(3000);
    socket.destroy();
  });
});
