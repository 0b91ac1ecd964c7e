// What a component imports, as componentize-qjs offers it: packages/protocol/wit. A `result` gives its value or throws an
// Error, an absent `option` is null in and undefined or null out.

declare module 'toolpost:plugin/log@0.1.0' {
  const log: { write(level: 'debug' | 'info' | 'warn' | 'error', message: string): void };
  export default log;
}

declare module 'toolpost:plugin/call@0.1.0' {
  const call: {
    output(text: string, stream: 'stdout' | 'stderr'): void;
    progress(update: { progress: number; total: number | null; message: string | null }): void;
    isCancelled(): boolean;
    wait(timeoutMs: number): boolean;
    ask(message: string, schema: string): { action: 'accept' | 'decline' | 'cancel'; content?: string | null };
  };
  export default call;
}

declare module 'toolpost:plugin/storage@0.1.0' {
  const storage: {
    get(key: string): string | null | undefined;
    set(key: string, value: string): void;
    delete(key: string): void;
    keys(prefix: string): string[];
  };
  export default storage;
}

declare module 'toolpost:plugin/shared-storage@0.1.0' {
  const storage: {
    get(key: string): string | null | undefined;
    set(key: string, value: string): void;
    delete(key: string): void;
    keys(prefix: string): string[];
  };
  export default storage;
}

declare module 'toolpost:plugin/process@0.1.0' {
  const process: {
    spawn(
      command: string,
      options: { workingDirectory: string | null },
    ): { exitCode: number; stdout: string; stderr: string };
  };
  export default process;
}

declare module 'wasi:random/random@0.2.12' {
  const random: { getRandomBytes(length: number): Uint8Array };
  export default random;
}

declare module 'wasi:io/streams@0.2.12' {
  export class OutputStream {
    blockingWriteAndFlush(contents: Uint8Array): void;
    [Symbol.dispose](): void;
  }
}

declare module 'wasi:filesystem/types@0.2.12' {
  import type { OutputStream } from 'wasi:io/streams@0.2.12';

  export type DescriptorType =
    | 'unknown'
    | 'block-device'
    | 'character-device'
    | 'directory'
    | 'fifo'
    | 'symbolic-link'
    | 'regular-file'
    | 'socket';
  export interface DescriptorStat {
    type: DescriptorType;
    size: number;
    dataModificationTimestamp?: { seconds: number; nanoseconds: number } | null;
  }
  export interface PathFlags {
    symlinkFollow: boolean;
  }
  export interface OpenFlags {
    create: boolean;
    directory: boolean;
    exclusive: boolean;
    truncate: boolean;
  }
  export interface DescriptorFlags {
    read: boolean;
    write: boolean;
    fileIntegritySync: boolean;
    dataIntegritySync: boolean;
    requestedWriteSync: boolean;
    mutateDirectory: boolean;
  }
  export class Descriptor {
    appendViaStream(): OutputStream;
    read(length: number, offset: number): [Uint8Array, boolean];
    write(buffer: Uint8Array, offset: number): number;
    readDirectory(): DirectoryEntryStream;
    createDirectoryAt(path: string): void;
    statAt(pathFlags: PathFlags, path: string): DescriptorStat;
    openAt(pathFlags: PathFlags, path: string, openFlags: OpenFlags, flags: DescriptorFlags): Descriptor;
    removeDirectoryAt(path: string): void;
    renameAt(oldPath: string, newDescriptor: Descriptor, newPath: string): void;
    unlinkFileAt(path: string): void;
    [Symbol.dispose](): void;
  }
  export class DirectoryEntryStream {
    readDirectoryEntry(): { type: DescriptorType; name: string } | null | undefined;
    [Symbol.dispose](): void;
  }
}

declare module 'wasi:filesystem/preopens@0.2.12' {
  import type { Descriptor } from 'wasi:filesystem/types@0.2.12';

  const preopens: { getDirectories(): [Descriptor, string][] };
  export default preopens;
}
