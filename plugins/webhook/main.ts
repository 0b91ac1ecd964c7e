// A message front end over HTTP: POST /chats/ID/messages with {"text", "id"?, "sender"?} is answered with the reply.
// docs/write-a-channel.md explains it step by step.
import { timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type Channel, type ChannelReply, defineChannel, defineTool } from '@toolpost/sdk';

const ADDRESS = '127.0.0.1';
const MAX_BODY_BYTES = 1024 * 1024;
/** A reply that comes when nobody waits for it is kept so long for whoever asks again. */
const KEPT_MS = 60_000;

interface Waiting {
  readonly chatId: string;
  readonly response: ServerResponse;
}

/** Who waits for the reply to a request id of a chat. A sender that lost its connection may ask again under the same id. */
const waiting = new Map<string, Waiting[]>();
let server: Server | undefined;
let answered = 0;
let lastId = 0;
const startedAt = Date.now();

const status = defineTool({
  name: 'webhook_status',
  description: 'Tells how many messages of the webhook wait for a reply, and how many were answered since it started.',
  annotations: { readOnlyHint: true },
  execute: () => ({
    waiting: [...waiting.values()].flat().length,
    answered,
    uptimeSeconds: Math.round((Date.now() - startedAt) / 1000),
  }),
});

export default defineChannel({
  name: 'webhook',
  configSchema: [
    { key: 'port', label: `Port on ${ADDRESS}`, type: 'number', default_value: 8787 },
    { key: 'token', label: 'Bearer token that senders must have', type: 'password' },
  ],
  declares: {
    tools: [status],
    prompt: {
      '05_channel_webhook': 'You answer messages that programs post over HTTP. Answer in plain text, without Markdown.',
    },
  },
  async start(channel) {
    // Where only tools are listed or called, another process may be listening.
    if (!channel.isServing) return;
    const { port, token } = channel.config;
    if (typeof token !== 'string' || token.length < 16)
      throw new Error(
        'set channels.webhook.token to a secret of at least 16 characters: whoever has it may send messages',
      );
    server = createServer((request, response) => {
      handle(request, response, { channel, token }).catch((error: unknown) => {
        answer(response, error instanceof Refusal ? error.status : 500, { error: textOf(error) });
      });
    });
    server.requestTimeout = 0;
    await listen(server, Number(port));
    channel.log(`listening on http://${ADDRESS}:${port}`);
  },
  async onReply(reply) {
    const key = keyOf(reply.chatId, reply.requestId);
    const waiters = waiting.get(key) ?? (await whoAsksAgain(key));
    waiting.delete(key);
    for (const { response } of waiters) answer(response, reply.isError ? 502 : 200, toBody(reply));
    if (waiters.length > 0) answered += 1;
  },
  stop() {
    server?.close();
    server?.closeAllConnections();
  },
});

interface Sender {
  readonly channel: Channel;
  readonly token: string;
}

async function handle(request: IncomingMessage, response: ServerResponse, { channel, token }: Sender): Promise<void> {
  if (!isAuthorized(request, token)) throw new Refusal(401, 'the Authorization header must be Bearer and the token');
  const [, chatId] = /^\/chats\/([^/?]{1,200})\/messages$/.exec(request.url ?? '') ?? [];
  if (request.method !== 'POST' || chatId === undefined) throw new Refusal(404, 'there is POST /chats/ID/messages');
  const { text, id, sender } = await readBody(request);
  if (typeof text !== 'string' || text.trim() === '') throw new Refusal(400, 'text must be a text that is not empty');
  const requestId = typeof id === 'string' && id !== '' ? id : `${process.pid}-${startedAt}-${++lastId}`;
  const chat = decoded(chatId);
  const waiter = { chatId: chat, response };
  const key = keyOf(chat, requestId);
  waiting.set(key, [...(waiting.get(key) ?? []), waiter]);
  response.once('close', () => forget(key, waiter));
  try {
    const senderId = typeof sender === 'string' ? sender : '';
    const receipt = await channel.sendInbound({ chatId: chat, content: text, requestId, senderId });
    if (!receipt.reply) return;
    forget(key, waiter);
    answer(response, receipt.reply.isError ? 502 : 200, toBody({ chatId: chat, requestId, ...receipt.reply }));
  } catch (error) {
    forget(key, waiter);
    // The message was not taken: it is the sender's to send again.
    throw new Refusal(503, textOf(error));
  }
}

function decoded(chatId: string): string {
  try {
    return decodeURIComponent(chatId);
  } catch {
    throw new Refusal(400, 'the chat in the address must be percent-encoded UTF-8');
  }
}

function forget(key: string, waiter: Waiting): void {
  const left = (waiting.get(key) ?? []).filter((one) => one !== waiter);
  if (left.length > 0) waiting.set(key, left);
  else waiting.delete(key);
}

/** The reply to a sender whose connection is gone, waited for as long as it is worth while. */
async function whoAsksAgain(key: string): Promise<Waiting[]> {
  const end = Date.now() + KEPT_MS;
  while (Date.now() < end) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    const found = waiting.get(key);
    if (found) return found;
  }
  return [];
}

function keyOf(chatId: string, requestId: string): string {
  return JSON.stringify([chatId, requestId]);
}

function toBody({ chatId, requestId, text, isError }: Pick<ChannelReply, 'chatId' | 'requestId' | 'text' | 'isError'>) {
  return { chat: chatId, id: requestId, reply: text, isError };
}

function answer(response: ServerResponse, code: number, body: object): void {
  if (response.headersSent || response.destroyed) return;
  response.writeHead(code, { 'content-type': 'application/json; charset=utf-8' });
  response.end(`${JSON.stringify(body)}\n`);
}

class Refusal extends Error {
  readonly status: number;
  constructor(code: number, message: string) {
    super(message);
    this.status = code;
  }
}

function isAuthorized({ headers }: IncomingMessage, token: string): boolean {
  const given = Buffer.from(headers.authorization ?? '');
  const expected = Buffer.from(`Bearer ${token}`);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

async function readBody(request: IncomingMessage): Promise<Record<string, unknown>> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > MAX_BODY_BYTES) throw new Refusal(413, `a message may have ${MAX_BODY_BYTES} bytes`);
    parts.push(part);
  }
  try {
    const body: unknown = JSON.parse(Buffer.concat(parts).toString('utf8'));
    if (typeof body === 'object' && body !== null) return body as Record<string, unknown>;
  } catch {
    // Told below, as everything that is no object.
  }
  throw new Refusal(400, 'the body must be a JSON object, like {"text": "hello"}');
}

/** The process before this one may still hold the port for a moment. */
async function listen(listening: Server, port: number): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await new Promise<void>((resolve, reject) => {
        listening.once('error', reject);
        listening.listen(port, ADDRESS, () => {
          listening.off('error', reject);
          resolve();
        });
      });
      return;
    } catch (error) {
      if (tries === 50) throw new Error(`cannot listen on ${ADDRESS}:${port}: ${textOf(error)}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
