import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { build } from 'vite';

/** What the specification of MCP Apps has a client allow a page that asks for nothing: no evaluation among it. */
const POLICY = [
  "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:; media-src 'self' data:; connect-src 'none'",
].join('; ');

export interface AppsHost {
  readonly page: Page;
  /** What the page and the apps in it complained about. */
  readonly complaints: string[];
  /** Shows a page in a frame; ready when it has introduced itself. */
  openApp(html: string, tool?: unknown): Promise<void>;
  /** What the client tells the page in the frame. */
  tell(method: string, params: unknown): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

let bundled: Promise<string> | undefined;

/** A page by MCP Apps as one file, as its makers bundle it: its script a module within it. */
export async function bundleApp(entry: string, body: string): Promise<string> {
  const code = (await bundleOf(entry)).replaceAll('</script', '<\\/script');
  return `<!doctype html><html><head><title>A page</title></head><body>${body}<script type="module">${code}</script></body></html>`;
}

/** A client by the official package, in a page of its own, with the policy of the specification. */
export async function openAppsHost(
  browser: Browser,
  callTool: (params: Record<string, unknown>) => Promise<unknown>,
): Promise<AppsHost> {
  bundled ??= bundleOf('./host-page.ts');
  const script = await bundled;
  const server = createServer((request, response) => {
    if (request.url === '/host.js') response.setHeader('content-type', 'text/javascript').end(script);
    else
      response
        .setHeader('content-type', 'text/html')
        .setHeader('content-security-policy', POLICY)
        .end('<!doctype html><title>A client</title><body><script src="/host.js"></script>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const context = await browser.newContext();
  const complaints: string[] = [];
  context.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  context.on('weberror', (error) => void complaints.push(String(error.error())));
  const page = await context.newPage();
  page.setDefaultTimeout(10_000);
  await page.exposeFunction('callTool', callTool);
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  const inPage = (call: string, ...given: unknown[]) =>
    page.evaluate(
      ([name, parameters]) =>
        (window as never as Record<string, (...all: unknown[]) => Promise<void>>)[name]?.(...parameters),
      [call, given] as const,
    );
  return {
    page,
    complaints,
    openApp: async (html, tool) => void (await inPage('openApp', html, tool)),
    tell: async (method, params) => void (await inPage('tell', method, params)),
    async [Symbol.asyncDispose]() {
      await context.close();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function bundleOf(entry: string): Promise<string> {
  const outputs = await build({
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      lib: { entry: fileURLToPath(new URL(entry, import.meta.url)), formats: ['iife'], name: 'host' },
    },
  });
  const [output] = Array.isArray(outputs) ? outputs : [outputs];
  const chunk = output && 'output' in output ? output.output[0] : undefined;
  if (!chunk) throw new Error('the client was not bundled');
  return chunk.code;
}
