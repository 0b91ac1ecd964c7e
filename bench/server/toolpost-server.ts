import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { createApiClient } from '@toolpost/protocol';
import { launcher } from '../../scripts/repository.js';
import { type Folder, writePlugin } from '../toolpost-host.ts';
import { type ReadEvent, readEvents } from './read-events.ts';
import type { TickServer, Ticks } from './ticks.ts';

const CHILDREN = new URL('../children/', import.meta.url);
const TOKEN = 'the-token-of-the-bench';

/** In the host's process, or in a process of its own over stdio. */
export type TickerTool = 'ticker_function' | 'ticker_program';

export interface ToolpostProcess {
  readonly pid: number;
  readonly url: string;
  readonly homeDir: string;
  /** Opens the page of the client once. */
  createLink(): Promise<string>;
  /** A tool's output as a stream: each has a session of its own. */
  ticks(tool: TickerTool): TickServer;
  openSession(): Promise<FollowedSession>;
  close(): Promise<void>;
}

/** A session whose events are read. */
export interface FollowedSession {
  readonly id: string;
  /** Asks for lines in the session's only turn, with the demo model, and gives the events until it ends. */
  turn(tool: TickerTool, ticks: Ticks, onEvent: (event: ReadEvent) => void): Promise<void>;
}

/** The command `toolpost serve` in a process of its own. */
export async function startToolpost({ dir }: Folder): Promise<ToolpostProcess> {
  const home = `${dir}/home`;
  writeTicker(`${dir}/plugins`);
  mkdirSync(home);
  const permissions = { allow: ['ticker_function', 'ticker_program'] };
  writeFileSync(`${home}/config.json`, JSON.stringify({ model: 'demo', permissions }));
  const args = [launcher, 'serve', '--port', '0', '--no-bundled', '--plugins', `${dir}/plugins`, '--root', dir];
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME, TOOLPOST_HOME: home, TOOLPOST_TOKEN: TOKEN };
  const child = spawn(process.execPath, args, { cwd: dir, env, stdio: ['ignore', 'inherit', 'pipe'] });
  const url = await addressOf(child.stderr);
  return toolpostAt({ url, homeDir: home }, child);
}

function writeTicker(dir: string): void {
  const file = (name: string) => fileURLToPath(new URL(name, CHILDREN));
  writePlugin(dir, { id: 'ticker-function', runtime: 'native', entry: 'ticker.js' });
  for (const name of ['ticker.js', 'tick.js']) copyFileSync(file(name), `${dir}/ticker-function/${name}`);
  writeFileSync(`${dir}/ticker-function/package.json`, '{"type":"module"}');
  const program = { executable: process.execPath, args: [file('ticker.js'), 'stdio'] };
  writePlugin(dir, { id: 'ticker-program', runtime: 'stdio', ...program });
}

/** What else it says is shown. */
async function addressOf(stderr: Readable): Promise<string> {
  for await (const line of createInterface({ input: stderr })) {
    const [, url] = /listening on (http:\S+)/.exec(line) ?? [];
    if (url === undefined) process.stderr.write(`${line}\n`);
    else {
      stderr.resume();
      return url;
    }
  }
  throw new Error('toolpost serve ended before it listened');
}

function toolpostAt({ url, homeDir }: Pick<ToolpostProcess, 'url' | 'homeDir'>, child: ChildProcess): ToolpostProcess {
  const client = createApiClient({ baseUrl: url, token: TOKEN, environment: globalThis });
  const headers = { authorization: `Bearer ${TOKEN}` };

  async function openSession(): Promise<FollowedSession> {
    const { id } = await client.createSession();
    const opened = Promise.withResolvers<void>();
    let listener = (_event: ReadEvent): void => {};
    const request = { url: `${url}/api/sessions/${id}/events`, headers, onOpen: opened.resolve };
    const read = readEvents(request, (event) => listener(event));
    await Promise.race([opened.promise, read]);
    return {
      id,
      async turn(tool, { count, paceMs, bytes }, onEvent) {
        listener = onEvent;
        const text = `${tool} count=${count} paceMs=${paceMs} bytes=${bytes}`;
        await Promise.all([client.postMessage(id, { text }), read]);
      },
    };
  }

  return {
    pid: child.pid ?? 0,
    ...{ url, homeDir },
    createLink: () => client.createLink(),
    openSession,
    ticks: (tool) => ({
      async open() {
        const session = await openSession();
        return { read: (ticks, onLine) => session.turn(tool, ticks, (event) => linesOf(event).forEach(onLine)) };
      },
    }),
    async close() {
      child.kill();
      await once(child, 'close');
    },
  };
}

/** What a tool printed in one go may be one event. */
export function linesOf({ type, text = '' }: ReadEvent): string[] {
  return type === 'tool-output-delta' ? text.trimEnd().split('\n') : [];
}
