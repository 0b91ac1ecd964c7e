import type { BigIntStats, Dirent } from 'node:fs';
import { type Datetime, datetimeOf } from './file-times.ts';

export type DescriptorType =
  | 'block-device'
  | 'character-device'
  | 'directory'
  | 'fifo'
  | 'symbolic-link'
  | 'regular-file'
  | 'socket'
  | 'unknown';

export interface DescriptorStat {
  readonly type: DescriptorType;
  readonly linkCount: bigint;
  readonly size: bigint;
  readonly dataAccessTimestamp: Datetime;
  readonly dataModificationTimestamp: Datetime;
  readonly statusChangeTimestamp: Datetime;
}

export interface MetadataHash {
  readonly lower: bigint;
  readonly upper: bigint;
}

export function descriptorStat(stats: BigIntStats): DescriptorStat {
  return {
    type: descriptorType(stats),
    linkCount: stats.nlink,
    size: stats.size,
    dataAccessTimestamp: datetimeOf(stats.atimeNs),
    dataModificationTimestamp: datetimeOf(stats.mtimeNs),
    statusChangeTimestamp: datetimeOf(stats.ctimeNs),
  };
}

export function descriptorType(entry: BigIntStats | Dirent): DescriptorType {
  if (entry.isFile()) return 'regular-file';
  if (entry.isDirectory()) return 'directory';
  if (entry.isSymbolicLink()) return 'symbolic-link';
  if (entry.isFIFO()) return 'fifo';
  if (entry.isSocket()) return 'socket';
  if (entry.isCharacterDevice()) return 'character-device';
  return entry.isBlockDevice() ? 'block-device' : 'unknown';
}

/** `lower` stays with the file (wasi-libc takes it for the inode number), `upper` changes with its size and times. */
export type HashMetadata = (stats: BigIntStats) => MetadataHash;

/** Keyed by a secret of this instance, so that a guest learns no inode number of the host. */
export function createMetadataHash(): HashMetadata {
  // Most guests never ask for a hash: node:crypto is loaded by the first that does.
  let secret: Uint8Array | undefined;

  function hash(...values: readonly bigint[]): bigint {
    const { createHash, randomBytes } = process.getBuiltinModule('node:crypto');
    secret ??= randomBytes(16);
    return createHash('sha256').update(secret).update(values.join(' ')).digest().readBigUInt64LE();
  }

  return ({ dev, ino, size, mtimeNs, ctimeNs }) => ({
    lower: hash(dev, ino),
    upper: hash(dev, ino, size, mtimeNs, ctimeNs),
  });
}
