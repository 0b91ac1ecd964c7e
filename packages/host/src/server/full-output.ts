import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { CallRecord } from '@toolpost/protocol';
import { outputFolder, type SessionName } from '../settings/file-names.ts';
import { Problem } from './problem.ts';

/**
 * The whole text of a call: its file where the record holds a part of it only. A plugin may write any path into its
 * metadata, so only files of this very session are opened.
 * @throws Problem NOT_FOUND when the file was removed: it is kept for a week.
 */
export async function openFullOutput(
  homeDir: string,
  session: SessionName,
  { id, text, metadata }: CallRecord,
): Promise<string | ReadableStream> {
  const path = metadata?.fullOutput;
  if (typeof path !== 'string' || dirname(path) !== outputFolder(homeDir, session)) return text;
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW).catch(() => undefined);
  if (!file) throw new Problem(404, 'NOT_FOUND', `the whole output of the call ${id} is no longer kept`);
  return file.readableWebStream({ autoClose: true }) as ReadableStream;
}
