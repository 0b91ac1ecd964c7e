import { type FileHandle, open } from 'node:fs/promises';
import { isJsonObject, type JsonObject } from '@toolpost/protocol';
import { journalFile, today } from './journal.ts';

export interface JournalQuery {
  readonly tenant: string;
  /** Only the calls of this user. */
  readonly user: string;
  /** Like 2026-11-30; today's when absent. */
  readonly day?: string | undefined;
  /** Only calls of this session, or of this id. */
  readonly sessionId?: string | undefined;
  readonly callId?: string | undefined;
  readonly limit: number;
}

/** A day may have more; what is asked for is mostly the end of it. */
const MAX_READ_BYTES = 16 * 1024 * 1024;

/** The latest entries of one day, the newest last. Lines that are no entries are left out. */
export async function readJournal(
  homeDir: string,
  { tenant, user, day = today(), sessionId, callId, limit }: JournalQuery,
): Promise<JsonObject[]> {
  // Most lines of a day are others': they are not parsed for the one that is asked for.
  const needle = callId === undefined ? '' : JSON.stringify(callId);
  const lines = (await readEnd(journalFile(homeDir, tenant, day))).split('\n');
  const entries: JsonObject[] = [];
  for (let at = lines.length - 1; at >= 0 && entries.length < limit; at--) {
    const line = lines[at] ?? '';
    const entry = line.includes(needle) ? parse(line) : undefined;
    if (!entry || (entry.user ?? '') !== user) continue;
    if (callId !== undefined && entry.id !== callId) continue;
    if (sessionId === undefined || entry.session === sessionId) entries.push(entry);
  }
  return entries.reverse();
}

async function readEnd(path: string): Promise<string> {
  let file: FileHandle;
  try {
    file = await open(path, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
  try {
    const { size } = await file.stat();
    const bytes = Buffer.alloc(Math.min(size, MAX_READ_BYTES));
    const { bytesRead } = await file.read(bytes, 0, bytes.length, size - bytes.length);
    return bytes.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}

function parse(line: string): JsonObject | undefined {
  try {
    const entry: unknown = JSON.parse(line);
    return isJsonObject(entry) ? entry : undefined;
  } catch {
    return undefined;
  }
}
