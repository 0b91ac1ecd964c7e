import { IoError } from '../io/io-error.ts';
import type { IoScope } from '../io/io-scope.ts';
import { createMetadataHash } from './describe-stats.ts';
import { createDirectoryDescriptor, Descriptor } from './descriptor.ts';
import type { FilesystemScope } from './descriptor-target.ts';
import { asDirectory, holdEntry, type Root } from './directory.ts';
import { DirectoryEntryStream } from './directory-entry-stream.ts';
import { withErrorCodes } from './error-code.ts';
import { createHandleLimit } from './handle-limit.ts';
import { type OpenRootsOptions, openRoots, type RootGrant } from './open-roots.ts';

export interface Filesystem {
  readonly interfaces: {
    readonly 'wasi:filesystem/types': {
      readonly Descriptor: typeof Descriptor;
      readonly DirectoryEntryStream: typeof DirectoryEntryStream;
      filesystemErrorCode(error: IoError): string | undefined;
    };
    readonly 'wasi:filesystem/preopens': { getDirectories(): [Descriptor, string][] };
  };
  /** One sentence for each root that could not be opened. */
  readonly problems: readonly string[];
  /** Gives the roots up. What the guest still holds goes with its own handles. */
  close(): void;
}

/**
 * wasi:filesystem over the roots: each is preopened at its own path, followed by its other spellings, the first also as
 * `.`.
 */
export function createFilesystem(
  io: IoScope,
  grants: readonly RootGrant[],
  options: OpenRootsOptions = {},
): Filesystem {
  const { roots, problems } = openRoots(grants, options);
  const scope: FilesystemScope = { io, handles: createHandleLimit(), hashMetadata: createMetadataHash() };
  const [first] = roots;
  const preopens: readonly (readonly [Root, string])[] = [
    ...roots.flatMap((root) => [root.path, ...root.spellings].map((path) => [root, path] as const)),
    // Relative paths start in the session's first root, not in the first that could be opened.
    ...(first !== undefined && first.path === grants[0]?.path ? [[first, '.'] as const] : []),
  ];
  return {
    interfaces: {
      'wasi:filesystem/types': {
        Descriptor,
        DirectoryEntryStream,
        filesystemErrorCode: (error) => (error instanceof IoError ? error.codes.filesystem : undefined),
      },
      'wasi:filesystem/preopens': {
        getDirectories: () =>
          preopens.flatMap(([root, path]) => openPreopen(scope, root).map((one): [Descriptor, string] => [one, path])),
      },
    },
    problems,
    close() {
      for (const { directory } of roots) directory.held.close();
    },
  };
}

/** None when the root was removed since. On Linux it is held, so that it is there, empty. */
function openPreopen(scope: FilesystemScope, { directory }: Root): Descriptor[] {
  return withErrorCodes(() => {
    const held = holdEntry(directory, '.');
    if (held === undefined) return [];
    scope.handles.add();
    return [createDirectoryDescriptor(scope, asDirectory(directory, held))];
  });
}
