import { expect, test } from 'vitest';
import type { ToolpostEvent } from '../events.ts';
import { createApiClient } from './api-client.ts';
import type { ClientEnvironment, FetchInit, ResponseLike } from './web-types.ts';

type Answer = (init: FetchInit | undefined) => Promise<ResponseLike> | ResponseLike;

/** An environment whose `fetch` answers by a script, and whose clock is as quick as the test. */
function scripted(script: Answer[]) {
  const requests: (FetchInit | undefined)[] = [];
  const waits: number[] = [];
  const environment: ClientEnvironment = {
    async fetch(_url, init) {
      requests.push(init);
      const next = script.shift();
      if (!next) throw new TypeError('the script is at its end');
      return next(init);
    },
    setTimeout(listener, ms) {
      // The watch over a silent connection is none of these waits.
      if (ms > 10_000) return setTimeout(listener, ms).unref();
      waits.push(ms);
      return setTimeout(listener, 0);
    },
    clearTimeout: (timer) => clearTimeout(timer),
  };
  return { requests, waits, client: createApiClient({ baseUrl: 'http://127.0.0.1:1', token: 't', environment }) };
}

const streamOf = (text: string): ResponseLike =>
  new Response(text, { headers: { 'content-type': 'text/event-stream' } });
const problem = (status: number, code: string): ResponseLike =>
  new Response(JSON.stringify({ status, code, detail: `no: ${code}` }), { status });
const eventText = (seq: number, epoch = 'e') =>
  `id: ${epoch}:${seq}\ndata: ${JSON.stringify({ type: 'warning', message: 'w', sessionId: 's', seq, at: 1 })}\n\n`;

/** Follows until the script is at its end; what came, in words. */
async function follow(script: Answer[], position?: string) {
  const end = new AbortController();
  const heard: string[] = [];
  const { client, requests, waits } = scripted([
    ...script,
    () => {
      end.abort();
      throw new TypeError('over');
    },
  ]);
  const last = await client.follow({
    sessionId: 's',
    position,
    signal: end.signal,
    onEvent: ({ seq }: ToolpostEvent) => void heard.push(String(seq)),
    onReset: () => void heard.push('reset'),
  });
  return {
    heard,
    last,
    waits,
    asked: requests.map((init) => new Headers(init?.headers as Record<string, string>).get('last-event-id')),
  };
}

test('goes on behind the last event, through cuts, refusals that pass and no answer at all', async () => {
  const { heard, asked, last } = await follow(
    [
      () => streamOf(eventText(3) + eventText(4) + eventText(5).slice(0, -1)),
      () => problem(503, 'CONNECTION_CLOSED'),
      () => Promise.reject(new TypeError('connect ECONNREFUSED')),
      () => streamOf(`:\n\n${eventText(5)}event: end\ndata: {}\n\n`),
    ],
    'e:2',
  );
  expect(heard).toEqual(['3', '4', '5']);
  expect(asked).toEqual(['e:2', 'e:4', 'e:4', 'e:4', 'e:5']);
  expect(last).toBe('e:5');
});

test('begins anew when the server says that it has another log', async () => {
  const { heard, asked } = await follow(
    [() => streamOf(`event: reset\ndata: {"epoch":"f"}\n\n${eventText(1, 'f')}`)],
    'e:9',
  );
  expect(heard).toEqual(['reset', '1']);
  expect(asked).toEqual(['e:9', 'f:1']);
});

test('waits longer each time while nothing comes, and is quick again after something came', async () => {
  const refuse = () => problem(502, 'SERVER_FAILED');
  const { waits } = await follow([...Array.from({ length: 7 }, () => refuse), () => streamOf(eventText(1))]);
  expect(waits).toEqual([100, 200, 400, 800, 1600, 3000, 3000, 100]);
});

test.each([
  [401, 'UNAUTHORIZED'],
  [404, 'SESSION_NOT_FOUND'],
  [400, 'REQUEST_INVALID'],
])('gives up at %i, in the words of the server', async (status, code) => {
  const { client } = scripted([() => problem(status, code)]);
  const following = client.follow({ sessionId: 's', onEvent: () => undefined });
  await expect(following).rejects.toMatchObject({ name: 'ApiError', status, code, message: `no: ${code}` });
});

test('ends at once when it is aborted, also while it waits', async () => {
  const end = new AbortController();
  const { client } = scripted([() => streamOf(eventText(1))]);
  const following = client.follow({
    sessionId: 's',
    signal: end.signal,
    onEvent: () => undefined,
    onConnection: ({ isConnected }) => !isConnected && end.abort(),
  });
  expect(await following).toBe('e:1');
});

test('a connection that goes silent is given up and made again', async () => {
  const silent = new Response(new ReadableStream({ pull: () => new Promise(() => undefined) }));
  const answers = [() => silent, () => streamOf(eventText(1))];
  const end = new AbortController();
  const watches: (() => void)[] = [];
  const environment: ClientEnvironment = {
    fetch: async () => answers.shift()?.() ?? Promise.reject(new TypeError('over')),
    setTimeout(listener, ms) {
      if (ms > 10_000) watches.push(listener);
      else setTimeout(listener, 0);
      // Nobody says a word: the watch over the first connection runs out.
      if (watches.length === 1) watches[0]?.();
      return undefined;
    },
    clearTimeout: () => undefined,
  };
  const client = createApiClient({ baseUrl: '', token: 't', environment });
  const seen: number[] = [];
  await client.follow({
    sessionId: 's',
    signal: end.signal,
    onEvent({ seq }) {
      seen.push(seq);
      end.abort();
    },
  });
  expect(seen).toEqual([1]);
});

test('an answer that is no problem document is an error with its status', async () => {
  const { client } = scripted([() => new Response('<html>', { status: 502 })]);
  await expect(client.status()).rejects.toMatchObject({
    status: 502,
    code: undefined,
    message: 'the server answered 502',
  });
});
