import { isJsonObject, type JsonObject, messageOf, type ToolDefinition } from '@toolpost/protocol';
import { keepPage } from '../../sessions/kept-pages.ts';
import type { RuntimeContext } from '../runtime.ts';
import { APP_MIME_TYPE } from './protocol-eras.ts';

const MAX_PAGE_CHARACTERS = 5_000_000;
/** A result does not wait any longer for its page. */
const PATIENCE_MS = 5000;

/** Asks the server for the contents of a resource. */
export type ReadResource = (uri: string, abortSignal: AbortSignal) => Promise<unknown>;

/** The pages of a server's tools by MCP Apps, each read once as long as its lists stay. */
export class AppPages {
  readonly #context: Pick<RuntimeContext, 'homeDir' | 'log'>;
  readonly #read: ReadResource;
  #pages = new Map<string, Promise<JsonObject | undefined>>();

  constructor(context: Pick<RuntimeContext, 'homeDir' | 'log'>, read: ReadResource) {
    this.#context = context;
    this.#read = read;
  }

  /** What a call keeps of its tool's page; undefined for a tool without one, and where it cannot be had. Never rejects. */
  pageOf({ name, ui }: ToolDefinition): Promise<JsonObject | undefined> | undefined {
    const uri = ui?.resourceUri;
    if (uri === undefined) return undefined;
    const known = this.#pages.get(uri);
    if (known) return known;
    const reading = this.#load(uri).catch((error: unknown) => {
      this.#pages.delete(uri);
      const reason = messageOf(error);
      this.#context.log(`${name}: its page ${uri} is not shown: ${reason}`, 'warn');
      return undefined;
    });
    this.#pages.set(uri, reading);
    return reading;
  }

  /** The server has said that something is another. */
  forget(): void {
    this.#pages = new Map();
  }

  async #load(uri: string): Promise<JsonObject> {
    const contents = await this.#read(uri, AbortSignal.timeout(PATIENCE_MS));
    const found = Array.isArray(contents) ? contents.filter(isJsonObject) : [];
    const page = found.find((one) => one.uri === uri) ?? found[0];
    if (!page) throw new Error('there is nothing under it');
    const type = String(page.mimeType ?? APP_MIME_TYPE);
    if (!type.startsWith('text/html')) throw new Error(`it is of the type ${type}, not ${APP_MIME_TYPE}`);
    const html = textOf(page);
    if (html.length > MAX_PAGE_CHARACTERS)
      throw new Error(`it has ${html.length} characters, at most ${MAX_PAGE_CHARACTERS} are shown`);
    const meta = isJsonObject(page._meta) && isJsonObject(page._meta.ui) ? page._meta.ui : {};
    return { uri, hash: await keepPage(this.#context.homeDir, html), domains: domainsOf(meta.csp) };
  }
}

function textOf({ text, blob }: JsonObject): string {
  if (typeof text === 'string') return text.toWellFormed();
  if (typeof blob === 'string') return Buffer.from(blob, 'base64').toString('utf8');
  throw new Error('it has neither text nor blob');
}

const MAX_DOMAINS = 50;

/** The result of a call with its tool's page in the metadata, where nothing else may put one. */
export function withPage(result: unknown, page: JsonObject | undefined): unknown {
  if (!isJsonObject(result)) return result;
  const metadata = isJsonObject(result.metadata) ? result.metadata : {};
  if (page) return { ...result, metadata: { ...metadata, app: page } };
  const { app, ...own } = metadata;
  return app === undefined ? result : { ...result, metadata: own };
}

/** Whatever it would load and send to. It gets none of it: people are told what it asks for. */
function domainsOf(csp: unknown): string[] {
  const lists = isJsonObject(csp) ? Object.values(csp) : [];
  const named = lists.flat().filter((one) => typeof one === 'string' && one.length <= 200);
  return [...new Set(named as string[])].slice(0, MAX_DOMAINS);
}
