import { findFiles, type LiveSession, listProviders, openHomeDir, readLog, toWhyListing } from '@toolpost/host';
import type { UiOrigin } from '@toolpost/protocol';
import type { Conversation, ConversationTurn, EndedTurn } from './conversation.ts';
import { findSession } from './find-session.ts';
import { followingCalls } from './plugin-exit.ts';
import { toSessionRow } from './session-columns.ts';
import { lastTurns } from './shown-log.ts';
import { toToolRow } from './tool-columns.ts';
import { UsageError } from './usage-error.ts';
import type { OpenedSession } from './with-session.ts';

/** A session of this process. */
export function localConversation(opened: OpenedSession): Conversation {
  const { host, live, store } = opened;
  const now = () => opened.session;
  async function run(text: string, options: ConversationTurn, uiAction?: UiOrigin): Promise<EndedTurn> {
    const { onEvent, notice: _none, onConnection: _never, ...asked } = options;
    const session = now();
    const end = session.subscribe({ afterSeq: session.lastSeq }, followingCalls(onEvent));
    const { reason, usage } = await session.turn(text, { ...asked, uiAction }).finally(end);
    return { reason, usage, sessionUsage: session.usage };
  }
  return {
    get id() {
      return now().session.id;
    },
    get model() {
      return now().model;
    },
    get roots() {
      return now().session.roots;
    },
    resumeCommand: opened.isKept ? 'toolpost chat --resume' : undefined,
    tools: async () => (await host.listTools(now().session)).tools.map(toToolRow),
    plugins: () => host.listPlugins({ start: false }),
    reloadPlugins: () => host.reloadPlugins(),
    why: async (name) => toWhyListing(await host.why(name, now().session)),
    providers: async () => listProviders(process.env),
    setModel: (model) => now().setModel(model),
    findFiles: async (part, options) =>
      findFiles(part, { ...options, roots: now().session.roots, homeDir: await openHomeDir(process.env) }),
    async startNew() {
      const { tenant, channel, user, roots } = now().session;
      await opened.enter(await live.open({ tenant, channel, user, roots, model: now().model }));
    },
    async switchTo(id) {
      const { session } = findSession(store, id);
      assertSameRoots(session, now());
      await opened.enter(await live.resume(session.id));
    },
    fork: async () => opened.enter(await now().fork()),
    rename: async (title) => now().rename(title),
    latest: async (limit) => live.list({ limit }).map(toSessionRow),
    async formerTurns(count) {
      const read = now().events.bind(now());
      const { afterSeq, before } = lastTurns(readLog(read), count);
      return { id: now().session.id, before, events: readLog(read, afterSeq) };
    },
    clear: () => now().clear(),
    async compact(abortSignal) {
      const session = now();
      if (await session.compact({ abortSignal })) return undefined;
      const last = session.events({ afterSeq: session.lastSeq - 1 }).at(-1);
      return last?.type === 'warning' ? last.message : 'no summary came of it.';
    },
    turn: (text, options) => run(text, options),
    async sendUiAction(actionId, options) {
      const { text, origin } = now().takeUiAction(actionId);
      return run(text, options, origin);
    },
    // What another process runs in it is waited for by the next turn.
    watch: async () => undefined,
  };
}

/** The project files of other roots were not read here. @throws UsageError that says how to go on there. */
function assertSameRoots({ id, roots }: LiveSession['session'], { session: here }: LiveSession): void {
  if (JSON.stringify(roots) === JSON.stringify(here.roots)) return;
  throw new UsageError(
    `it was held in ${roots.join(', ') || 'no directory'}: leave, and go on there with toolpost chat --resume ${id}`,
  );
}
