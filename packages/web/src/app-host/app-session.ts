import {
  type AppPage,
  type CallRecord,
  contentWithoutBlocks,
  isJsonObject,
  type JsonObject,
  TOOLPOST_VERSION,
} from '@toolpost/protocol';
import type { Scheme } from '../frame/messages.ts';
import { createFlood } from '../interface/create-flood.ts';
import { linkTo, UnknownMethod } from '../mcp-app/rpc-link.ts';

const VERSION = '2026-01-26';
const MAX_TEXT = 20_000;
/** More would keep this page from its own work. */
const MAX_MESSAGES_PER_SECOND = 200;

/** What the page of a call wants of the client around it. */
export interface AppListener {
  onHeight(height: number): void;
  /** Resolves with whether it was opened. */
  openLink(url: string): Promise<boolean>;
  /** Puts what the app says where the user sees it, and may send it on. @throws Error while nobody uses the app. */
  say(text: string): Promise<void>;
  /** Asks the call's own server. */
  ask(method: 'tools/call' | 'resources/read', params: JsonObject): Promise<JsonObject>;
}

/** The client's side of MCP Apps with one page. */
export interface AppSession {
  setScheme(scheme: Scheme): void;
  close(): void;
}

interface AppCall {
  readonly page: AppPage;
  readonly record: CallRecord;
  readonly scheme: Scheme;
}

/** Answers a page from its introduction on: tells it of its call, and does what a client has to do for it. */
export function hostApp(target: Window, { page, record, scheme }: AppCall, listener: AppListener): AppSession {
  const link = linkTo(target, {
    mayHear: createFlood(MAX_MESSAGES_PER_SECOND),
    onRequest: (method, params) => answer(method, params),
    onNotification(method, params) {
      if (method === 'ui/notifications/initialized') tellOfCall();
      else if (method === 'ui/notifications/size-changed' && typeof params.height === 'number')
        listener.onHeight(params.height);
    },
  });

  function tellOfCall(): void {
    link.notify('ui/notifications/tool-input', { arguments: page.arguments });
    link.notify('ui/notifications/tool-result', resultOf(record));
  }

  async function answer(method: string, params: JsonObject): Promise<JsonObject> {
    switch (method) {
      case 'ui/initialize':
        return introduction(page, scheme);
      case 'ping':
        return {};
      case 'tools/call':
      case 'resources/read':
        return listener.ask(method, params);
      case 'ui/open-link':
        return (await listener.openLink(String(params.url))) ? {} : { isError: true };
      case 'ui/message':
        await listener.say(textOf(params.content));
        return {};
      case 'ui/request-display-mode':
        return { mode: 'inline' };
      default:
        throw new UnknownMethod(method);
    }
  }

  return {
    setScheme: (theme) => link.notify('ui/notifications/host-context-changed', { theme }),
    close: () => link.close(),
  };
}

function introduction({ tool }: AppPage, theme: Scheme): JsonObject {
  return {
    protocolVersion: VERSION,
    hostInfo: { name: 'toolpost', title: 'Toolpost', version: TOOLPOST_VERSION },
    hostCapabilities: { openLinks: {}, serverTools: {}, serverResources: {}, message: { text: {} } },
    hostContext: {
      ...{ theme, toolInfo: { tool }, displayMode: 'inline', availableDisplayModes: ['inline'], platform: 'web' },
      locale: navigator.language,
    },
  };
}

/** The result as its server gave it. What the host keeps of the page itself is not its. */
function resultOf({ content, structuredContent, isError, metadata = {} }: CallRecord): JsonObject {
  const { app: _, ...meta } = metadata;
  return {
    content: contentWithoutBlocks(content),
    ...(structuredContent && { structuredContent }),
    ...(isError && { isError }),
    ...(Object.keys(meta).length > 0 && { _meta: meta }),
  };
}

/** @throws Error for a message without text. */
function textOf(content: unknown): string {
  const blocks = Array.isArray(content) ? content.filter(isJsonObject) : [];
  const text = blocks.flatMap((one) => (typeof one.text === 'string' ? [one.text] : [])).join('\n');
  if (text.trim() === '') throw new Error('only text can be said here');
  return text.slice(0, MAX_TEXT);
}
