import { resolve } from 'node:path';
import { type ApiClient, ApiError, type ApiSession, type ApiSessionDetail } from '@toolpost/protocol';
import { MIN_BEGINNING, theOnly } from '../find-session.ts';
import { UsageError } from '../usage-error.ts';
import type { SessionOptions } from '../with-session.ts';

const PAGE = 200;

/**
 * The session of a server that the flags name: the one to go on with, that of `--chat`, or a new one.
 * @throws UsageError when there is none to go on with; ApiError for what the server refuses.
 */
export async function chooseSession(client: ApiClient, options: SessionOptions): Promise<ApiSessionDetail> {
  const { channel, chat: chatId, model, root, resume } = options;
  if (resume !== undefined) return findRemote(client, resume);
  const roots = root?.map((path) => resolve(path));
  if (options.continue) return client.getSession((await latest(client, channel, roots)).id);
  return client.createSession({
    channel,
    ...(chatId !== undefined && { chatId }),
    ...(model !== undefined && { model }),
    ...(roots && { roots }),
  });
}

/** The session of an id, or of the beginning of one. @throws UsageError when there is none, or more than one. */
export async function findRemote(client: ApiClient, id: string): Promise<ApiSessionDetail> {
  try {
    return await client.getSession(id);
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error;
  }
  const found: ApiSession[] = [];
  if (id.length >= MIN_BEGINNING)
    for await (const session of allSessions(client)) if (session.id.startsWith(id.toLowerCase())) found.push(session);
  return client.getSession(theOnly(found, id).id);
}

async function latest(client: ApiClient, channel: string, roots: readonly string[] | undefined): Promise<ApiSession> {
  for await (const session of allSessions(client, channel))
    if (!roots || JSON.stringify(session.roots) === JSON.stringify(roots)) return session;
  throw new UsageError(
    'no conversation of yours was held at this server yet: leave out --continue, or name one with --resume',
  );
}

async function* allSessions(client: ApiClient, channel?: string): AsyncGenerator<ApiSession> {
  for (let cursor: string | undefined; ; ) {
    const query = { limit: PAGE, ...(channel !== undefined && { channel }), ...(cursor !== undefined && { cursor }) };
    const page = await client.listSessions(query);
    yield* page.sessions;
    if (page.next === undefined) return;
    cursor = page.next;
  }
}
