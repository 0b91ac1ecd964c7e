import { type BigIntStats, fstatSync } from 'node:fs';
import type { IoScope } from '../io/io-scope.ts';
import type { HashMetadata } from './describe-stats.ts';
import type { Directory } from './directory.ts';
import { fail } from './error-code.ts';
import type { HandleLimit } from './handle-limit.ts';
import type { OpenFile } from './open-file.ts';

/** What the descriptors of one instance share. */
export interface FilesystemScope {
  readonly io: IoScope;
  readonly handles: HandleLimit;
  readonly hashMetadata: HashMetadata;
}

/** What a descriptor is of: a directory that is held, or a regular file. */
export type DescriptorTarget =
  | { readonly kind: 'directory'; readonly directory: Directory }
  | { readonly kind: 'file'; readonly file: OpenFile; readonly isReadOnly: boolean };

export function directoryOf(target: DescriptorTarget): Directory {
  return target.kind === 'directory' ? target.directory : fail('not-directory');
}

export function fileOf(target: DescriptorTarget): OpenFile {
  return target.kind === 'file' ? target.file : fail('is-directory');
}

export function statsOf(target: DescriptorTarget): BigIntStats {
  return target.kind === 'directory' ? target.directory.held.stat() : fstatSync(target.file.fd, { bigint: true });
}
