import { closeSync, fstatSync, mkdirSync, openSync, renameSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';

const DEFAULT_MAX_BYTES = 5 * 1024 * 1024;

export interface LogFile {
  readonly path: string;
  /** Appends bytes or text as they are. Never throws: a full disk must not break what is logged. */
  write(chunk: Uint8Array | string): void;
}

/** Where a plugin's stderr and its log lines go. Ids of single files may hold characters that a path must not. */
export function pluginLogPath(homeDir: string, pluginId: string): string {
  return join(homeDir, 'logs', `${pluginId.replace(/[^\w.-]/g, '_')}.log`);
}

/** One writer for each file in this process, so that the size is counted once, whoever writes. */
const openFiles = new Map<string, LogFile>();

/**
 * The log file at `path`, mode 0600 in a folder of mode 0700. When it would pass `maxBytes` it becomes `<path>.1`,
 * whose former content goes: a plugin that floods its log takes twice `maxBytes` of disk and no more.
 */
export function openLogFile(path: string, maxBytes: number = DEFAULT_MAX_BYTES): LogFile {
  const known = openFiles.get(path);
  if (known) return known;
  const file = createLogFile(path, maxBytes);
  openFiles.set(path, file);
  return file;
}

/** Writes are synchronous: they go to the page cache, and the last words of a crash are on disk when it is reported. */
function createLogFile(path: string, maxBytes: number): LogFile {
  let fd: number | undefined;
  let size = 0;

  const open = (): number => {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const opened = openSync(path, 'a', 0o600);
    size = fstatSync(opened).size;
    return opened;
  };

  const rotate = (): void => {
    if (fd !== undefined) closeSync(fd);
    fd = undefined;
    renameSync(path, `${path}.1`);
  };

  return {
    path,
    write(chunk) {
      const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
      const part = bytes.length > maxBytes ? bytes.subarray(bytes.length - maxBytes) : bytes;
      try {
        fd ??= open();
        if (size > 0 && size + part.length > maxBytes) {
          rotate();
          fd = open();
        }
        size += writeSync(fd, part);
      } catch {
        // The log is a convenience; its loss is not the plugin's fault and stops nothing.
      }
    },
  };
}
