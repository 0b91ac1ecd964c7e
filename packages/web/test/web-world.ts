import type { ApiClient } from '@toolpost/protocol';
import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core';
import {
  chatCall,
  chatChunks,
  type ProviderAnswer,
  startScriptedProvider,
} from '../../host/src/models/fixtures/scripted-provider.ts';
import { createServerWorld, type ServerWorld } from '../../host/src/server/fixtures/server-world.ts';
import { TOOLS } from './tools.ts';

export interface WebWorld extends ServerWorld {
  readonly browser: Browser;
  readonly api: ApiClient;
  /** Everything that a page of this world complained about: refused by the policy, thrown, or logged as an error. */
  readonly complaints: string[];
  /** Addresses that pages asked for outside of the server. */
  readonly strays: string[];
  openContext(options?: BrowserContextOptions): Promise<BrowserContext>;
  /** A page that was opened by a link of the server, as a person does. */
  signIn(context?: BrowserContext): Promise<Page>;
  /** A page of a new session. */
  openSession(context?: BrowserContext): Promise<{ page: Page; id: string }>;
}

export interface WebWorldOptions {
  /** What the model answers, request by request. */
  readonly script?: readonly (ProviderAnswer | 'never')[];
  readonly allow?: readonly string[];
  readonly files?: Readonly<Record<string, string>>;
  /** More of the configuration. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** Further plugins, their sources by their ids. */
  readonly plugins?: Readonly<Record<string, string>>;
  /** Plugins that are processes of their own, the tools of each by its id. */
  readonly programs?: Readonly<Record<string, readonly string[]>>;
}

/** A server with real plugins and a model by script, whose pages Chromium shows. */
export async function createWebWorld(browser: Browser, options: WebWorldOptions = {}): Promise<WebWorld> {
  const { script = [], allow = ['show_*'], files = {}, plugins = {}, programs = {}, config = {} } = options;
  const provider = await startScriptedProvider(script);
  const world = await createServerWorld({
    servesClient: true,
    config: { model: `openai-compatible:scripted@${provider.url}`, permissions: { allow: [...allow] }, ...config },
    prepare(host) {
      host.addNative('web-fixtures', TOOLS);
      for (const [id, source] of Object.entries(plugins)) host.addNative(id, source);
      for (const [id, tools] of Object.entries(programs)) host.addProgram(id, tools);
      for (const [name, text] of Object.entries(files)) host.write(`root/${name}`, text);
    },
  });
  const complaints: string[] = [];
  const strays: string[] = [];
  const contexts: BrowserContext[] = [];
  const api = world.client();

  async function openContext(how: BrowserContextOptions = {}): Promise<BrowserContext> {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...how });
    contexts.push(context);
    // Sooner than the test's own end, so that it is told what did not come.
    context.setDefaultTimeout(25_000);
    context.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    context.on('weberror', (error) => void complaints.push(String(error.error())));
    context.on('request', (request) => {
      if (!request.url().startsWith(world.server.url) && !request.url().startsWith('data:')) strays.push(request.url());
    });
    return context;
  }

  async function signIn(given?: BrowserContext): Promise<Page> {
    const page = await (given ?? (await openContext())).newPage();
    await page.goto(world.server.createLink());
    await page.getByRole('main').getByRole('button').first().waitFor();
    return page;
  }

  return {
    ...world,
    ...{ browser, api, complaints, strays, openContext, signIn },
    async openSession(context) {
      const page = await signIn(context);
      const { id } = await api.createSession();
      await page.goto(`${world.server.url}/#/session/${id}`);
      await page.getByRole('textbox', { name: 'Message' }).waitFor();
      return { page, id };
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(contexts.map((context) => context.close()));
      await world[Symbol.asyncDispose]();
      await provider[Symbol.asyncDispose]();
    },
  };
}

/** An answer of the model: words, one piece each. */
export function says(...pieces: string[]): ProviderAnswer {
  return { events: chatChunks(pieces.map((content) => ({ content }))) };
}

/** An answer that calls tools, all in one round. */
export function calls(...wanted: readonly (readonly [name: string, input: object])[]): ProviderAnswer {
  const deltas = wanted.flatMap(([name, input], index) => chatCall(index, name, JSON.stringify(input)));
  return { events: chatChunks(deltas, 'tool_calls') };
}

export async function say(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Message' }).fill(text);
  await page.keyboard.press('Enter');
}

export function logOf(page: Page): Locator {
  return page.getByRole('log');
}

export function card(page: Page, name: string, nth = 0): Locator {
  return page.getByRole('article', { name: `Call of ${name},` }).nth(nth);
}

export function stateOf(page: Page, name: string, nth = 0): Promise<string | null> {
  return card(page, name, nth).getAttribute('data-state');
}
