import { connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createApiClient, type ToolpostEvent } from '@toolpost/protocol';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  createServerWorld,
  followUntil,
  isTurnEnd,
  type ServerWorld,
  TOKEN,
  wholeLog,
} from './fixtures/server-world.ts';

/** The whole measure: TOOLPOST_TEST_DROPS=500. */
const DROPS = Number(process.env.TOOLPOST_TEST_DROPS ?? 60);
const SEED = Number(process.env.TOOLPOST_TEST_SEED ?? 20_261_130);
const CLIENTS = 5;

let world: ServerWorld;
let proxy: Proxy;
beforeAll(async () => {
  world = await createServerWorld();
  proxy = await startProxy(world.server.port);
});
afterAll(async () => {
  await proxy.close();
  await world[Symbol.asyncDispose]();
});

interface Proxy {
  readonly port: number;
  /** Cuts the connection that is the `index`-th now: cleanly, or in the middle of what it was sending. */
  drop(index: number, cleanly: boolean): boolean;
  close(): Promise<void>;
}

/** What stands between client and server on a bad day. It says nothing of its own, and cuts wherever it is told to. */
async function startProxy(target: number): Promise<Proxy> {
  const open = new Set<Socket>();
  const server: Server = createServer((client) => {
    const upstream = connect({ host: '127.0.0.1', port: target });
    let isRetold = false;
    client.on('data', (chunk: Buffer) => {
      // The server answers to its own name only.
      const text = chunk.toString('latin1');
      upstream.write(isRetold ? chunk : text.replace(/^host: .*$/im, `host: 127.0.0.1:${target}`), 'latin1');
      isRetold = false;
    });
    upstream.on('data', (chunk: Buffer) => void client.write(chunk));
    const end = () => {
      open.delete(client);
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) socket.on('close', end).on('error', end);
    open.add(client);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as { port: number }).port,
    drop(index, cleanly) {
      const socket = [...open][index % Math.max(1, open.size)];
      if (!socket) return false;
      // What is cut is no connection any more, however long its two ends take to notice.
      open.delete(socket);
      if (cleanly) socket.end();
      else socket.resetAndDestroy();
      return true;
    },
    async close() {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Numbers that look random and are the same each time (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

it(`every client ends with exactly the stored log through ${DROPS} drops (seed ${SEED})`, async () => {
  const random = createRandom(SEED);
  const direct = world.client();
  const { id } = await direct.createSession();
  const end = new AbortController();
  const through = createApiClient({ baseUrl: `http://127.0.0.1:${proxy.port}`, token: TOKEN, environment: globalThis });
  const logs = Array.from({ length: CLIENTS }, (): ToolpostEvent[] => []);
  const connected = new Set<object>();
  let connections = 0;
  let onConnected = () => {};
  const allConnected = async () => {
    while (connected.size < CLIENTS) await new Promise<void>((resolve) => (onConnected = resolve));
  };
  const following = logs.map((log) =>
    through.follow({
      sessionId: id,
      signal: end.signal,
      onEvent: (event) => void log.push(event),
      onReset: () => void log.splice(0),
      onConnection({ isConnected }) {
        if (!isConnected) return void connected.delete(log);
        connections += 1;
        connected.add(log);
        onConnected();
      },
    }),
  );

  let dropped = 0;
  while (dropped < DROPS) {
    await allConnected();
    const { position } = await direct.postMessage(id, { text: 'stream' });
    const ended = followUntil(direct, id, isTurnEnd, position);
    for (let cut = 0; cut < 6; cut++) {
      await sleep(random() * 12);
      if (proxy.drop(Math.floor(random() * 100), random() < 0.5)) dropped += 1;
    }
    await ended;
  }
  const stored = wholeLog(world.store, id);
  while (logs.some((log) => log.length < stored.length)) await sleep(20);
  end.abort();
  await Promise.all(following);
  for (const log of logs) expect(log).toEqual(stored);
  expect(connections).toBeGreaterThan(DROPS / 3);
}, 600_000);
