import { ApiError } from '@toolpost/protocol';
import type { Conversation } from '../conversation.ts';
import { UsageError } from '../usage-error.ts';
import type { SessionOptions } from '../with-session.ts';
import { chooseSession } from './choose-session.ts';
import { type RemotePlace, remoteConversation } from './remote-conversation.ts';
import { connectTo, type ServerAccess } from './server-access.ts';

/**
 * Runs `work` with a session at the server of an address, as the flags say. One in which nothing was said is not kept.
 * @throws UsageError for what cannot be connected to, and for flags that are the server's.
 */
export async function withRemote<T>(
  address: string,
  options: SessionOptions,
  work: (conversation: Conversation, server: ServerAccess) => Promise<T>,
): Promise<T> {
  refuseServerFlags(options);
  const server = await connectTo(address, process.env);
  try {
    const place: RemotePlace = { session: await chooseSession(server.client, options) };
    const leave = async () => {
      if (place.session.lastSeq === 0) await forgetEmpty(server, place.session.id);
    };
    try {
      return await work(remoteConversation(server, place, { model: options.model, leave }), server);
    } finally {
      await leave();
    }
  } catch (error) {
    if (error instanceof ApiError) throw new UsageError(`the server at ${server.url}: ${error.message}`);
    throw error;
  }
}

async function forgetEmpty({ client }: ServerAccess, id: string): Promise<void> {
  try {
    const { lastSeq, openTurns } = await client.getSession(id);
    if (lastSeq === 0 && openTurns === 0) await client.deleteSession(id);
  } catch {
    // A server that is gone keeps an empty session, which harms nobody.
  }
}

/** What a server loads and allows is said where it is started. @throws UsageError that names the flag. */
function refuseServerFlags({ plugins, bundled, tenant, user, config, allow = [], yes }: SessionOptions): void {
  const given = {
    '--plugins': plugins !== undefined,
    '--no-bundled': !bundled,
    '--tenant': tenant !== undefined,
    '--user': user !== undefined,
    '--config': config !== undefined,
    '--allow': allow.length > 0,
    '--yes': yes,
  };
  const [flag] = Object.entries(given).find(([, isGiven]) => isGiven) ?? [];
  if (flag !== undefined)
    throw new UsageError(`${flag} says nothing with --connect: give it to the server, \`toolpost serve\``);
}
