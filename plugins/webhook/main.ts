// A message front end over HTTP: POST /chats/ID/messages with {"text", "id"?, "sender"?} is answered with the reply.
// docs/write-a-channel.md explains how channels work.
import { timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import {
  type Channel,
  type ChannelReply,
  defineChannel,
  defineTool,
  type InboundMessage,
  type Receipt,
} from '@toolpost/sdk';

const ADDRESS = '127.0.0.1';
const MAX_BODY_BYTES = 1024 * 1024;
/** What a sender is told. */
type Answer = Pick<ChannelReply, 'chatId' | 'requestId' | 'text' | 'isError'>;
type Message = Pick<Answer, 'chatId' | 'requestId'>;
/** Undefined when the sender is gone. */
type Waiter = PromiseWithResolvers<Answer | undefined>;

/** Who waits for the reply to a request id of a chat: more than one where a sender asked again. */
const waiting = new Map<string, Set<Waiter>>();
let server: Server | undefined;
let answered = 0;
let lastId = 0;
const startedAt = Date.now();

const status = defineTool({
  name: 'webhook_status',
  description: 'Tells how many messages of the webhook wait for a reply, and how many were answered since it started.',
  annotations: { readOnlyHint: true },
  execute: () => ({
    waiting: [...waiting.values()].reduce((sum, { size }) => sum + size, 0),
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
  onReply(reply) {
    // One that nobody waits for is kept by the host, for a sender that lost its connection and sends its message again.
    const waiters = waiting.get(keyOf(reply));
    if (waiters) answered += 1;
    for (const waiter of waiters ?? []) waiter.resolve(reply);
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
  const message = { chatId: decoded(chatId), requestId };
  // Before the message is sent, so that no reply can come too early.
  const waiter = wait(message);
  response.once('close', () => waiter.resolve(undefined));
  try {
    const senderId = typeof sender === 'string' ? sender : '';
    const receipt = await sendInbound(channel, { ...message, content: text, senderId });
    const reply = receipt.reply ? { ...message, ...receipt.reply } : await waiter.promise;
    if (reply) answer(response, reply.isError ? 502 : 200, toBody(reply));
  } finally {
    leave(message, waiter);
  }
}

/** A message that was not taken is the sender's to send again. */
async function sendInbound(channel: Channel, message: InboundMessage): Promise<Receipt> {
  try {
    return await channel.sendInbound(message);
  } catch (error) {
    throw new Refusal(503, textOf(error));
  }
}

function wait(message: Message): Waiter {
  const waiter: Waiter = Promise.withResolvers();
  const key = keyOf(message);
  waiting.set(key, (waiting.get(key) ?? new Set()).add(waiter));
  return waiter;
}

function leave(message: Message, waiter: Waiter): void {
  const key = keyOf(message);
  const waiters = waiting.get(key);
  waiters?.delete(waiter);
  if (waiters?.size === 0) waiting.delete(key);
}

function decoded(chatId: string): string {
  try {
    return decodeURIComponent(chatId);
  } catch {
    throw new Refusal(400, 'the chat in the address must be percent-encoded UTF-8');
  }
}

function keyOf({ chatId, requestId }: Message): string {
  return JSON.stringify([chatId, requestId]);
}

function toBody({ chatId, requestId, text, isError }: Answer) {
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
