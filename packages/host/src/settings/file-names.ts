import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Session } from '@toolpost/protocol';

/** What names a session among those of all tenants. */
export type SessionName = Pick<Session, 'tenant' | 'id'>;

/** Where the full texts of a session's capped results are: only `read` and `grep` of that session open them. */
export function outputFolder(homeDir: string, { tenant, id }: SessionName): string {
  // No file name of an id has a plus.
  const name = tenant === '' ? fileNameOf(id) : `${fileNameOf(tenant)}+${fileNameOf(id)}`;
  return join(homeDir, 'cache', 'outputs', name);
}

/** An id as a file name. Ids come from models and clients: none may climb out of a folder, and no two may share a name. */
export function fileNameOf(id: string): string {
  if (/^[a-z0-9_-]{1,100}$/.test(id)) return id;
  const hash = createHash('sha256').update(id).digest('hex').slice(0, 16);
  return `${id.replaceAll(/[^a-zA-Z0-9_-]/g, '_').slice(0, 60)}.${hash}`;
}
