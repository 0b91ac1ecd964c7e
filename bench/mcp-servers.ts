import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { launcher } from '../scripts/repository.js';
import { type Folder, writePlugin } from './toolpost-host.ts';

const VERSION = '2026-07-28';
const META = {
  'io.modelcontextprotocol/protocolVersion': VERSION,
  'io.modelcontextprotocol/clientCapabilities': {},
};
const TOKEN = 'the-token-of-the-bench';

/** One request after the other, or several at once, to a server of MCP; no client's work is in it. */
export interface McpWire {
  /** Resolves with how many bytes the answer has. @throws Error for an answer without a result. */
  request(method: string, params?: Record<string, unknown>): Promise<number>;
  close(): Promise<void>;
}

export type McpServerName = 'sdk' | 'toolpost';

interface ServerOptions {
  readonly folder: Folder;
  /** Tools beside `echo`. */
  readonly tools?: number;
}

/** The command line of a server and its environment. */
function programOf(
  name: McpServerName,
  transport: 'stdio' | 'http',
  { folder, tools = 0 }: ServerOptions,
): { args: string[]; env: NodeJS.ProcessEnv } {
  const { PATH, HOME } = process.env;
  if (name === 'sdk') return { args: [childFile(`mcp-${transport}-server.js`), String(tools)], env: { PATH, HOME } };
  writePlugin(
    `${folder.dir}/plugins`,
    { id: 'bench', runtime: 'native', entry: 'index.js' },
    {
      'index.js': readFileSync(childFile('toolpost-mcp-plugin.js'), 'utf8'),
      'count.json': JSON.stringify({ count: tools }),
    },
  );
  const flags = ['--no-bundled', '--yes', '--root', folder.dir, '--plugins', `${folder.dir}/plugins`];
  return {
    args: [launcher, 'mcp', ...(transport === 'http' ? ['--http', '0'] : []), ...flags],
    env: { PATH, HOME, TOOLPOST_HOME: `${folder.dir}/home`, TOOLPOST_TOKEN: TOKEN },
  };
}

function childFile(name: string): string {
  return fileURLToPath(new URL(`./children/${name}`, import.meta.url));
}

const LF = 0x0a;

/** Starts a server on pipes. */
export function startOnStdio(name: McpServerName, options: ServerOptions): McpWire {
  const { args, env } = programOf(name, 'stdio', options);
  const child = spawn(process.execPath, args, { env, stdio: ['pipe', 'pipe', 'inherit'] });
  const waiting = new Map<string, (answer: Buffer) => void>();
  let parts: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => {
    let start = 0;
    for (let at = chunk.indexOf(LF); at !== -1; at = chunk.indexOf(LF, start)) {
      const line =
        parts.length === 0 ? chunk.subarray(start, at) : Buffer.concat([...parts, chunk.subarray(start, at)]);
      parts = [];
      start = at + 1;
      take(line);
    }
    if (start < chunk.length) parts.push(chunk.subarray(start));
  });

  /** The id stands at the head or the tail of an answer. */
  function take(line: Buffer): void {
    const ends = line.toString('latin1', 0, 60) + line.toString('latin1', Math.max(60, line.length - 60));
    const [, id = ''] = /"id":(\d+)/.exec(ends) ?? [];
    waiting.get(id)?.(line);
    waiting.delete(id);
  }

  let lastId = 0;
  return {
    request(method, params = {}) {
      const id = ++lastId;
      return new Promise((resolve, reject) => {
        waiting.set(String(id), (answer) => settle(answer, resolve, reject));
        child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params: { ...params, _meta: META } })}\n`);
      });
    },
    async close() {
      const ended = once(child, 'exit');
      child.stdin.end();
      await ended;
    },
  };
}

function settle(answer: Buffer, resolve: (bytes: number) => void, reject: (error: Error) => void): void {
  if (answer.includes('"result"') && !answer.includes('"isError":true')) resolve(answer.length);
  else reject(new Error(`the answer has no result: ${answer.toString('utf8', 0, 300)}`));
}

/** Starts a server over HTTP, with so many connections to it that are kept. */
export async function startOnHttp(
  name: McpServerName,
  { connections, ...options }: ServerOptions & { readonly connections: number },
): Promise<McpWire> {
  const { args, env } = programOf(name, 'http', options);
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'inherit', 'pipe'] });
  const url = new URL(await addressOf(child));
  const sockets = await Promise.all(Array.from({ length: connections }, () => HttpSocket.open(url)));
  const free = [...sockets];
  const queue: ((socket: HttpSocket) => void)[] = [];
  let lastId = 0;
  return {
    async request(method, params = {}) {
      const socket = free.pop() ?? (await new Promise<HttpSocket>((resolve) => queue.push(resolve)));
      try {
        return await socket.post(++lastId, method, params);
      } finally {
        const next = queue.shift();
        if (next) next(socket);
        else free.push(socket);
      }
    },
    async close() {
      for (const socket of sockets) socket.close();
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}

async function addressOf({ stderr }: ChildProcess): Promise<string> {
  let text = '';
  for await (const chunk of stderr ?? []) {
    text += chunk;
    const [address] = /http:\/\/127\.0\.0\.1:\d+\S*/.exec(text) ?? [];
    if (address === undefined) continue;
    stderr?.resume();
    return address;
  }
  throw new Error(`a server did not start: ${text}`);
}

/** One connection: writes a request, and finds the end of its answer. */
class HttpSocket {
  readonly #socket: Socket;
  readonly #head: string;
  #received = Buffer.alloc(0);
  #onData: (() => void) | undefined;

  static async open(url: URL): Promise<HttpSocket> {
    const socket = connect({ host: url.hostname, port: Number(url.port), noDelay: true });
    await once(socket, 'connect');
    return new HttpSocket(socket, url);
  }

  private constructor(socket: Socket, { host, pathname }: URL) {
    this.#socket = socket;
    this.#head =
      `POST ${pathname} HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${TOKEN}\r\ncontent-type: application/json\r\n` +
      `accept: application/json, text/event-stream\r\nmcp-protocol-version: ${VERSION}\r\n`;
    socket.on('data', (chunk) => {
      this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk]);
      this.#onData?.();
    });
  }

  post(id: number, method: string, params: Record<string, unknown>): Promise<number> {
    const body = JSON.stringify({ jsonrpc: '2.0', id, method, params: { ...params, _meta: META } });
    const name = typeof params.name === 'string' ? `mcp-name: ${params.name}\r\n` : '';
    const head = `${this.#head}mcp-method: ${method}\r\n${name}content-length: ${Buffer.byteLength(body)}\r\n\r\n`;
    this.#socket.write(head + body);
    return new Promise((resolve, reject) => {
      this.#onData = () => {
        const end = endOfAnswer(this.#received);
        if (end === undefined) return;
        const answer = this.#received.subarray(0, end);
        this.#received = this.#received.subarray(end);
        this.#onData = undefined;
        settle(answer, resolve, reject);
      };
    });
  }

  close(): void {
    this.#socket.destroy();
  }
}

/** Undefined while it is not whole. */
function endOfAnswer(received: Buffer): number | undefined {
  const headEnd = received.indexOf('\r\n\r\n');
  if (headEnd === -1) return undefined;
  const head = received.toString('latin1', 0, headEnd);
  const [, length] = /\r\ncontent-length: (\d+)/i.exec(head) ?? [];
  if (length !== undefined) {
    const end = headEnd + 4 + Number(length);
    return received.length >= end ? end : undefined;
  }
  const last = received.lastIndexOf('0\r\n\r\n');
  return last > headEnd ? last + 5 : undefined;
}

/** The time from the start of a server to its first list, in ms; it is ended then. */
export async function startToList(name: McpServerName, options: ServerOptions): Promise<number> {
  const startedAt = performance.now();
  const wire = startOnStdio(name, options);
  await wire.request('tools/list');
  const tookMs = performance.now() - startedAt;
  await wire.close();
  return tookMs;
}

/** Where the plugin was seen before, as it is for all starts but the first. */
export function warmHome(folder: Folder): Promise<number> {
  return startToList('toolpost', { folder: { ...folder, dir: path.resolve(folder.dir) } });
}
