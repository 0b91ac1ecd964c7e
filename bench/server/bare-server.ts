import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { readEvents } from './read-events.ts';
import type { TickServer } from './ticks.ts';

const FILE = fileURLToPath(new URL('../children/sse-server.js', import.meta.url));

export interface BareServer extends TickServer {
  close(): Promise<void>;
}

/** A node server, in a process of its own, that writes events and does nothing else: the least there can be. */
export async function startBareServer(): Promise<BareServer> {
  const child = spawn(process.execPath, [FILE], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [port] = await once(child.stdout.setEncoding('utf8'), 'data');
  return {
    async open() {
      return {
        read({ count, paceMs, bytes }, onLine) {
          const url = `http://127.0.0.1:${Number(port)}/?count=${count}&paceMs=${paceMs}&bytes=${bytes}`;
          return readEvents({ url }, ({ type, text }) => type === 'tool-output-delta' && onLine(text ?? ''));
        },
      };
    },
    async close() {
      child.kill();
      await once(child, 'close');
    },
  };
}
