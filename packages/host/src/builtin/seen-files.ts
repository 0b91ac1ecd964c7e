import { hash } from 'node:crypto';
import { type CallRecord, isJsonObject, type ToolResult } from '@toolpost/protocol';
import type { SessionName } from '../settings/file-names.ts';
import { ToolFailure } from './tool-failure.ts';

const MAX_ENTRIES = 10_000;
/** Of a file that is not there: no content has it. */
export const ABSENT_DIGEST = '';

/** What each session last saw of the files it works on, so that it never writes over a change it does not know. */
export interface SeenFiles {
  remember(session: SessionName, path: string, digest: string): void;
  /**
   * Lends the session what it saw before it was opened here, the oldest first: read once, when it is needed. What it has seen
   * since counts before it.
   */
  recall(session: SessionName, read: () => Iterable<FileDigest>): void;
  /**
   * `digestNow` is asked only when the session saw the file.
   * @throws ToolFailure when the session saw it with another content.
   */
  assertCurrent(file: SeenFile, digestNow: () => string | Promise<string>): Promise<void>;
}

export interface FileDigest {
  readonly path: string;
  readonly digest: string;
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
  const earlier = new Map<string, () => Iterable<FileDigest>>();
  const keyOf = ({ tenant, id }: SessionName, path = ''): string => `${tenant}\0${id}\0${path}`;

  function readEarlier(session: SessionName): void {
    const read = earlier.get(keyOf(session));
    if (!read) return;
    earlier.delete(keyOf(session));
    const seen = new Map<string, string>();
    for (const { path, digest } of read()) seen.set(keyOf(session, path), digest);
    for (const [key, digest] of seen) if (!digests.has(key)) keep(digests, key, digest);
  }

  return {
    remember: (session, path, digest) => keep(digests, keyOf(session, path), digest),
    recall: (session, read) => keep(earlier, keyOf(session), read),
    async assertCurrent({ session, path, shown }, digestNow) {
      readEarlier(session);
      const seen = digests.get(keyOf(session, path));
      if (seen === undefined || seen === (await digestNow())) return;
      throw new ToolFailure(`${shown} changed on disk since it was read; it was left as it is. Read it again first`);
    },
  };
}

function keep<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key);
  map.set(key, value);
  if (map.size <= MAX_ENTRIES) return;
  for (const oldest of map.keys()) {
    map.delete(oldest);
    break;
  }
}

/** The result of a call with what it saw of a file, for the session's next life. */
export function withSeen(result: ToolResult, path: string, digest: string): ToolResult {
  return { ...result, metadata: { ...result.metadata, seen: { path, digest } } };
}

/** What a call of a built-in tool saw; other plugins may say what they like. */
export function seenBy({ plugin, metadata }: CallRecord): FileDigest[] {
  const seen = plugin === 'builtin' ? metadata?.seen : undefined;
  if (!isJsonObject(seen)) return [];
  const { path, digest } = seen;
  return typeof path === 'string' && typeof digest === 'string' ? [{ path, digest }] : [];
}

export function digestOf(content: Uint8Array): string {
  return hash('sha1', content);
}
