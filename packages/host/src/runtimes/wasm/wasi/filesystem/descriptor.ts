import { fdatasyncSync, fsyncSync, ftruncateSync, readSync, writeSync } from 'node:fs';
import { InputStream } from '../io/input-stream.ts';
import { type OutputSink, OutputStream } from '../io/output-stream.ts';
import { byteCount } from '../io/stream-error.ts';
import {
  createDirectoryAt,
  linkAt,
  readLinkAt,
  removeDirectoryAt,
  renameAt,
  symlinkAt,
  unlinkFileAt,
} from './alter-at.ts';
import { type DescriptorStat, type DescriptorType, descriptorStat, type MetadataHash } from './describe-stats.ts';
import { type DescriptorTarget, directoryOf, type FilesystemScope, fileOf, statsOf } from './descriptor-target.ts';
import { type Directory, holdEntry } from './directory.ts';
import { DirectoryEntryStream } from './directory-entry-stream.ts';
import { fail, withErrorCodes } from './error-code.ts';
import { createAppendSink, createFileSink, createFileSource } from './file-streams.ts';
import type { NewTimestamp } from './file-times.ts';
import { isSameObject } from './held.ts';
import { type DescriptorFlags, type OpenFlags, openAt, type PathFlags } from './open-at.ts';
import { OpenFile } from './open-file.ts';
import { setDirectoryTimes, setFileTimes, setTimesAt } from './set-times.ts';
import { statAt } from './stat-at.ts';

/** The most that one `read` gives, whatever the guest asks for. */
const MAX_READ_BYTES = 1024 * 1024;

/**
 * The resource `descriptor` of wasi:filesystem: a file or directory itself, never a path. Methods throw an `ErrorCode`.
 */
export class Descriptor {
  readonly #scope: FilesystemScope;
  readonly #target: DescriptorTarget;
  readonly #flags: DescriptorFlags;
  #isDropped = false;

  /** Takes over `target`, which was counted in `scope.handles`. */
  constructor(scope: FilesystemScope, target: DescriptorTarget, flags: DescriptorFlags) {
    this.#scope = scope;
    this.#target = target;
    this.#flags = flags;
  }

  readViaStream(offset: bigint): InputStream {
    const file = this.#readable();
    const position = positionOf(offset);
    return new InputStream(this.#scope.io, createFileSource(file.retain(), position));
  }

  writeViaStream(offset: bigint): OutputStream {
    const file = this.#writable();
    const position = positionOf(offset);
    return this.#outputStream(createFileSink(file.retain(), position));
  }

  appendViaStream(): OutputStream {
    return this.#outputStream(createAppendSink(this.#writable().retain()));
  }

  /** Advice is free to be ignored, and is. */
  advise(): void {
    if (this.#target.kind === 'directory') fail('bad-descriptor');
  }

  sync(): void {
    if (this.#flags.write) withErrorCodes(() => fsyncSync(fileOf(this.#target).fd));
  }

  syncData(): void {
    if (this.#flags.write) withErrorCodes(() => fdatasyncSync(fileOf(this.#target).fd));
  }

  getFlags(): DescriptorFlags {
    return this.#flags;
  }

  getType(): DescriptorType {
    return this.#target.kind === 'directory' ? 'directory' : 'regular-file';
  }

  setSize(size: bigint): void {
    const { fd } = this.#writable();
    if (size > Number.MAX_SAFE_INTEGER) fail('file-too-large');
    withErrorCodes(() => ftruncateSync(fd, Number(size)));
  }

  setTimes(access: NewTimestamp, modification: NewTimestamp): void {
    const target = this.#target;
    withErrorCodes(() => {
      if (target.kind === 'directory') setDirectoryTimes(target.directory, { access, modification });
      else if (target.isReadOnly) fail('read-only');
      else setFileTimes(target.file.fd, { access, modification });
    });
  }

  /** @returns the bytes, and whether the file ended with them */
  read(length: bigint, offset: bigint): [Uint8Array, boolean] {
    const { fd } = this.#readable();
    const buffer = Buffer.allocUnsafeSlow(byteCount(length, MAX_READ_BYTES));
    if (buffer.length === 0) return [buffer, false];
    const size = withErrorCodes(() => readSync(fd, buffer, 0, buffer.length, positionOf(offset)));
    return [buffer.subarray(0, size), size < buffer.length];
  }

  write(bytes: Uint8Array, offset: bigint): bigint {
    const { fd } = this.#writable();
    return BigInt(withErrorCodes(() => writeSync(fd, bytes, 0, bytes.length, positionOf(offset))));
  }

  readDirectory(): DirectoryEntryStream {
    const directory = this.#directory();
    return withErrorCodes(() => {
      const own = holdEntry(directory, '.') ?? fail('no-entry');
      try {
        return new DirectoryEntryStream(own, this.#scope.handles);
      } catch (error) {
        own.close();
        throw error;
      }
    });
  }

  createDirectoryAt(path: string): void {
    withErrorCodes(() => createDirectoryAt({ base: this.#directory(), path }));
  }

  stat(): DescriptorStat {
    return withErrorCodes(() => descriptorStat(statsOf(this.#target)));
  }

  statAt(pathFlags: PathFlags, path: string): DescriptorStat {
    return withErrorCodes(() => descriptorStat(statAt(this.#directory(), path, pathFlags)));
  }

  setTimesAt(pathFlags: PathFlags, path: string, access: NewTimestamp, modification: NewTimestamp): void {
    const base = this.#directory();
    withErrorCodes(() => setTimesAt({ base, path, pathFlags }, { access, modification }));
  }

  linkAt(pathFlags: PathFlags, path: string, target: Descriptor, newPath: string): void {
    const from = { base: this.#directory(), path, follow: pathFlags.symlinkFollow ?? false };
    withErrorCodes(() => linkAt(from, { base: target.#directory(), path: newPath }));
  }

  openAt(pathFlags: PathFlags, path: string, openFlags: OpenFlags, flags: DescriptorFlags): Descriptor {
    const base = this.#directory();
    const { handles } = this.#scope;
    handles.add();
    try {
      const opened = withErrorCodes(() => openAt(base, { path, pathFlags, openFlags, flags }));
      if (opened.kind === 'directory') return createDirectoryDescriptor(this.#scope, opened.directory);
      const file = new OpenFile(opened.fd, handles);
      return new Descriptor(this.#scope, { kind: 'file', file, isReadOnly: opened.isReadOnly }, flags);
    } catch (error) {
      handles.remove();
      throw error;
    }
  }

  readlinkAt(path: string): string {
    return withErrorCodes(() => readLinkAt({ base: this.#directory(), path }));
  }

  removeDirectoryAt(path: string): void {
    withErrorCodes(() => removeDirectoryAt({ base: this.#directory(), path }));
  }

  renameAt(path: string, target: Descriptor, newPath: string): void {
    withErrorCodes(() => renameAt({ base: this.#directory(), path }, { base: target.#directory(), path: newPath }));
  }

  symlinkAt(content: string, path: string): void {
    withErrorCodes(() => symlinkAt(content, { base: this.#directory(), path }));
  }

  unlinkFileAt(path: string): void {
    withErrorCodes(() => unlinkFileAt({ base: this.#directory(), path }));
  }

  isSameObject(other: Descriptor): boolean {
    return withErrorCodes(() => isSameObject(statsOf(this.#target), statsOf(other.#target)));
  }

  metadataHash(): MetadataHash {
    return withErrorCodes(() => this.#scope.hashMetadata(statsOf(this.#target)));
  }

  metadataHashAt(pathFlags: PathFlags, path: string): MetadataHash {
    return withErrorCodes(() => this.#scope.hashMetadata(statAt(this.#directory(), path, pathFlags)));
  }

  [Symbol.dispose](): void {
    if (this.#isDropped) return;
    this.#isDropped = true;
    if (this.#target.kind === 'file') this.#target.file.release();
    else {
      this.#scope.handles.remove();
      this.#target.directory.held.close();
    }
  }

  #directory(): Directory {
    return directoryOf(this.#target);
  }

  #readable(): OpenFile {
    const file = fileOf(this.#target);
    return this.#flags.read ? file : fail('bad-descriptor');
  }

  #writable(): OpenFile {
    const file = fileOf(this.#target);
    return this.#flags.write ? file : fail('bad-descriptor');
  }

  #outputStream(sink: OutputSink): OutputStream {
    return new OutputStream(this.#scope.io, sink);
  }
}

/** A descriptor of a directory that was counted in `scope.handles`. What it may do comes from its root, not from flags. */
export function createDirectoryDescriptor(scope: FilesystemScope, directory: Directory): Descriptor {
  return new Descriptor(
    scope,
    { kind: 'directory', directory },
    { read: true, mutateDirectory: !directory.isReadOnly },
  );
}

/** An offset as node:fs takes it. */
function positionOf(offset: bigint): number {
  return offset > Number.MAX_SAFE_INTEGER ? fail('invalid') : Number(offset);
}
