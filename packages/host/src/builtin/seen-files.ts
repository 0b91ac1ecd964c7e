import { hash } from 'node:crypto';
import type { SessionName } from '../settings/file-names.ts';
import { ToolFailure } from './tool-failure.ts';

const MAX_ENTRIES = 10_000;
/** Of a file that is not there: no content has it. */
export const ABSENT_DIGEST = '';

/** What each session last saw of the files it works on, so that it never writes over a change it does not know. */
export interface SeenFiles {
  remember(session: SessionName, path: string, digest: string): void;
  /**
   * `digestNow` is asked only when the session saw the file.
   * @throws ToolFailure when the session saw it with another content.
   */
  assertCurrent(file: SeenFile, digestNow: () => string | Promise<string>): Promise<void>;
}

export interface SeenFile {
  readonly session: SessionName;
  readonly path: string;
  /** The path in messages. */
  readonly shown: string;
}

/** Forgets the oldest entries: a file that was forgotten is treated as one that was never read. */
export function createSeenFiles(): SeenFiles {
  const digests = new Map<string, string>();
  const keyOf = ({ tenant, id }: SessionName, path: string): string => `${tenant}\0${id}\0${path}`;

  return {
    remember(session, path, digest) {
      const key = keyOf(session, path);
      digests.delete(key);
      digests.set(key, digest);
      if (digests.size <= MAX_ENTRIES) return;
      for (const oldest of digests.keys()) {
        digests.delete(oldest);
        break;
      }
    },
    async assertCurrent({ session, path, shown }, digestNow) {
      const seen = digests.get(keyOf(session, path));
      if (seen === undefined || seen === (await digestNow())) return;
      throw new ToolFailure(`${shown} changed on disk since it was read; it was left as it is. Read it again first`);
    },
  };
}

export function digestOf(content: Uint8Array): string {
  return hash('sha1', content);
}
