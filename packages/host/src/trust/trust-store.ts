import { createHash } from 'node:crypto';
import { readFileSync, realpathSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { HostError, isJsonObject } from '@toolpost/protocol';
import { writePrivateFile } from '../settings/write-private-file.ts';
import { type ProjectFiles, readProjectFiles } from './project-files.ts';

/** What is known of a root's project files. Only `trusted` ones may be loaded or obeyed. */
export type TrustCheck =
  | { readonly status: 'nothing-to-trust' | 'trusted' | 'unknown'; readonly files: ProjectFiles }
  /** `changes` are the names of files that came, went or changed since they were accepted. */
  | { readonly status: 'changed'; readonly files: ProjectFiles; readonly changes: readonly string[] }
  /** They cannot be accepted as they are; the error says why. */
  | { readonly status: 'refused'; readonly error: HostError };

export interface TrustStore {
  /**
   * Compares a root's project files with what was accepted. What is trusted now may change at once: settings and
   * AGENTS.md are taken from `files`, and a project plugin is started only after one more check.
   */
  check(root: string): TrustCheck;
  /** Keeps what a person has accepted: these very files, whatever has become of them since they were read. */
  accept(files: ProjectFiles): void;
  /** Takes an acceptance back. Returns whether there was one. */
  forget(root: string): boolean;
}

/** Keeps acceptances in the home directory, one file a root, so that two hosts cannot lose each other's. */
export function createTrustStore(homeDir: string): TrustStore {
  const fileOf = (root: string) =>
    join(homeDir, 'trust', `${createHash('sha256').update(root).digest('hex').slice(0, 32)}.json`);

  return {
    check(root) {
      let files: ProjectFiles;
      try {
        files = readProjectFiles(root);
      } catch (error) {
        if (error instanceof HostError) return { status: 'refused', error };
        throw error;
      }
      if (Object.keys(files.hashes).length === 0) return { status: 'nothing-to-trust', files };
      const accepted = readAccepted(fileOf(files.root), files.root);
      if (!accepted) return { status: 'unknown', files };
      const changes = differences(accepted, files.hashes);
      return changes.length === 0 ? { status: 'trusted', files } : { status: 'changed', files, changes };
    },
    accept({ root, hashes }) {
      writePrivateFile(fileOf(root), JSON.stringify({ root, acceptedAt: new Date().toISOString(), hashes }));
    },
    forget(root) {
      const real = realPathOf(root);
      const wasAccepted = readAccepted(fileOf(real), real) !== undefined;
      rmSync(fileOf(real), { force: true });
      return wasAccepted;
    },
  };
}

/** Of a root that is gone, the path as it was given. */
function realPathOf(root: string): string {
  try {
    return realpathSync.native(root);
  } catch {
    return resolve(root);
  }
}

/** A record that cannot be read, or is of another root, accepts nothing. */
function readAccepted(file: string, root: string): ReadonlyMap<string, unknown> | undefined {
  try {
    const record: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (!isJsonObject(record) || record.root !== root || !isJsonObject(record.hashes)) return undefined;
    return new Map(Object.entries(record.hashes));
  } catch {
    return undefined;
  }
}

function differences(accepted: ReadonlyMap<string, unknown>, present: Readonly<Record<string, string>>): string[] {
  const changed = Object.entries(present).filter(([name, hash]) => accepted.get(name) !== hash);
  const gone = [...accepted.keys()].filter((name) => !Object.hasOwn(present, name));
  return [...changed.map(([name]) => name), ...gone].sort();
}
