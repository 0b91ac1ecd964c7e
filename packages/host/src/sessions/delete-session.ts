import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { outputFolder } from '../settings/file-names.ts';
import type { SessionStore } from './session-store.ts';

/** Deletes a session with everything that was kept of it, the whole texts of capped results too. Returns whether there was one. */
export function deleteSession(store: SessionStore, id: string): boolean {
  const session = store.get(id)?.session;
  const isDeleted = store.delete(id);
  if (session && store.path !== undefined) {
    rmSync(outputFolder(dirname(store.path), session), { recursive: true, force: true });
  }
  return isDeleted;
}
