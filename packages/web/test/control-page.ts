import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BrowserContext } from 'playwright-core';
import { type Escapes, escapesAsScript } from './escapes.ts';

/** A page with a plain frame of its own origin and no policy: where every escape has to work, or its failure says nothing. */
export interface ControlPage {
  /** Runs them all in one new frame; gives the names of those that returned true, when all are through. */
  run(context: BrowserContext, escapes: Escapes): Promise<readonly string[]>;
  [Symbol.asyncDispose](): Promise<void>;
}

const TYPES: Readonly<Record<string, string>> = { '/worker.js': 'text/javascript' };

export async function startControlPage(): Promise<ControlPage> {
  const server = createServer(({ url = '/' }, response) => {
    response.setHeader('content-type', TYPES[url] ?? 'text/html');
    response.end(url === '/' ? CONTROL : '');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    async run(context, escapes) {
      const page = await context.newPage();
      await page.goto(`${url}/`);
      // Its page may be gone by what it runs.
      const running = page.evaluate(`runInFrame(${JSON.stringify(escapesAsScript(escapes))})`);
      const done = await running.catch(() => []);
      return done as readonly string[];
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const CONTROL = `<!doctype html><title>control</title><body><script>
new BroadcastChannel('a').onmessage = ({ data }) => window.hear?.(data);
async function runInFrame(text) {
  const frame = document.createElement('iframe');
  frame.src = '/frame';
  const loaded = new Promise((done) => { frame.onload = done; });
  document.body.append(frame);
  await loaded;
  return await frame.contentWindow.eval(text);
}
</script>`;
