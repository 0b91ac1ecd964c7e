import { copyFileSync, linkSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { HostError, messageOf } from '@toolpost/protocol';

/**
 * Gives the folder of one session's whole texts to another's, whose copy may be deleted alone. They are written once, so
 * that both have the same files where the file system can.
 * @throws HostError SESSION_STORE_FAILED
 */
export function copyOutputs(from: string, to: string): void {
  const names = filesOf(from);
  if (names.length === 0) return;
  try {
    mkdirSync(to, { recursive: true, mode: 0o700 });
    for (const name of names) share(join(from, name), join(to, name));
  } catch (error) {
    const reason = messageOf(error);
    throw new HostError('SESSION_STORE_FAILED', `the whole outputs of a session cannot be copied to ${to}: ${reason}`, {
      cause: error,
    });
  }
}

function filesOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function share(file: string, copy: string): void {
  try {
    linkSync(file, copy);
  } catch {
    copyFileSync(file, copy);
  }
}
