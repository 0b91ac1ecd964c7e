import { setTimeout as sleep } from 'node:timers/promises';
import { createApp, type Door } from './app.ts';
import { EVENT_STREAM_LIMITS } from './event-stream.ts';
import type { OneUseLinks } from './one-use-links.ts';
import type { Route } from './route.ts';
import { appRoutes } from './routes/app-routes.ts';
import { callRoutes } from './routes/call-routes.ts';
import { pluginRoutes } from './routes/plugin-routes.ts';
import { questionRoutes } from './routes/question-routes.ts';
import { serverRoutes } from './routes/server-routes.ts';
import { sessionRoutes } from './routes/session-routes.ts';
import { toolRoutes } from './routes/tool-routes.ts';
import { turnRoutes } from './routes/turn-routes.ts';
import { uiActionRoutes } from './routes/ui-action-routes.ts';
import type { ServedHost } from './serve.ts';
import type { ServerParts } from './server-parts.ts';

export interface Surroundings {
  readonly door: Door;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Where it is reached, without a final slash. */
  readonly url: () => string;
  readonly links?: OneUseLinks;
  /** Where the built client lies; the page is a small one when absent. */
  readonly clientDir?: string | undefined;
}

/** What answers requests, and its end. */
export interface AssembledApp {
  readonly app: ReturnType<typeof createApp>;
  /** Takes nothing new, lets what runs finish for `graceMs`, then cancels it; closes the sessions. */
  end(graceMs: number): Promise<void>;
}

/** Puts the routes of a host together, whoever listens for them. */
export function assembleApp(
  served: ServedHost,
  { door, environment, url, links, clientDir }: Surroundings,
): AssembledApp {
  const { host, store, sessions, mounts = {}, onWarning = () => undefined } = served;
  const warn = (message: string) => onWarning(host.redact(message));
  let isClosing = false;
  const routes = createRoutes({
    ...{ host, store, sessions, environment, links, clientDir, url, warn },
    timeoutMs: served.timeoutMs ?? Number.POSITIVE_INFINITY,
    streamLimits: { ...EVENT_STREAM_LIMITS, ...served.streamLimits },
    startedAt: Date.now(),
    isClosing: () => isClosing,
  });
  const onBug = (error: unknown) =>
    warn(`a request failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  return {
    app: createApp({ routes, mounts, door, redact: host.redact, onBug }),
    async end(graceMs) {
      isClosing = true;
      const all = Object.values(mounts);
      const idle = Promise.all(all.map((mount) => mount.idle?.()));
      await Promise.all([sessions.close({ graceMs }), Promise.race([idle, sleep(graceMs, undefined, { ref: false })])]);
      for (const mount of all) mount.close?.();
    },
  };
}

function createRoutes(parts: ServerParts): readonly Route[] {
  const makers = [
    sessionRoutes,
    turnRoutes,
    questionRoutes,
    uiActionRoutes,
    appRoutes,
    toolRoutes,
    pluginRoutes,
    callRoutes,
  ];
  const routes = makers.flatMap((make) => make(parts));
  return [...serverRoutes(parts, routes), ...routes];
}
