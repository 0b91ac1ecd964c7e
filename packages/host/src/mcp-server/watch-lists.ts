import type { Exchange } from './exchange.ts';
import type { McpParts } from './mcp-parts.ts';
import { promptsOf } from './prompts.ts';
import { resourcesOf, templatesOf } from './resources.ts';
import { catalogOf } from './tool-catalog.ts';

/** Changes that come together are told once: a lone one soon, before a client that looks by itself is through. */
const FIRST_MS = 10;
/** Those of a storm are told at this distance. */
const STORM_MS = 100;

export type ListKind = 'tools' | 'resources' | 'prompts';

/** What tells a client that a list is another one. */
export const LIST_CHANGED: Readonly<Record<ListKind, string>> = {
  tools: 'notifications/tools/list_changed',
  resources: 'notifications/resources/list_changed',
  prompts: 'notifications/prompts/list_changed',
};

/** Nothing is watched before `start`, which learns what the lists are then. */
export interface ListWatch {
  start(): void;
  close(): void;
}

type Lists = Readonly<Record<ListKind, Uint8Array>>;

/** Whose lists they are. What it can show may be known only later, when it introduces itself. */
export type ListClient = Pick<Exchange, 'session' | 'capabilities'>;

/**
 * Calls `onChange` when a list that a session's client gets is another one: once for changes that come together, and not
 * for those that it does not see.
 */
export function watchLists(parts: McpParts, client: ListClient, onChange: (kind: ListKind) => void): ListWatch {
  let known: Lists | undefined;
  let timer: NodeJS.Timeout | undefined;
  let comparedAt = Number.NEGATIVE_INFINITY;
  let stop: (() => void) | undefined;

  async function compare(): Promise<void> {
    const lists = await readLists(parts, client);
    const former = known;
    known = lists;
    if (!former || !stop) return;
    for (const kind of ['tools', 'resources', 'prompts'] as const) {
      if (former[kind] !== lists[kind] && Buffer.compare(former[kind], lists[kind]) !== 0) onChange(kind);
    }
  }

  const compareSoon = () => {
    // Without the first lists there is nothing that changed.
    if (!known || timer) return;
    const isStorm = performance.now() - comparedAt < STORM_MS;
    timer = setTimeout(
      () => {
        timer = undefined;
        comparedAt = performance.now();
        void compare();
      },
      isStorm ? STORM_MS : FIRST_MS,
    );
    timer.unref();
  };

  return {
    start() {
      if (stop) return;
      stop = parts.host.onToolsChange(compareSoon);
      void compare();
    },
    close() {
      stop?.();
      stop = undefined;
      clearTimeout(timer);
    },
  };
}

async function readLists(parts: McpParts, { session, capabilities }: ListClient): Promise<Lists> {
  const catalog = await catalogOf(parts.host, session);
  const tools = catalog.listJson({ era: 'session', capabilities });
  const resources = [await resourcesOf(parts, { session, capabilities }), await templatesOf(parts, session)];
  const prompts = await promptsOf(parts, session);
  return { tools, resources: bytesOf(resources), prompts: bytesOf(prompts) };
}

function bytesOf(value: unknown): Uint8Array {
  return Buffer.from(JSON.stringify(value));
}
