import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

const DEFAULT_MAX_BYTES = 5 * 1024 * 1024;

/** Where a plugin's stderr and its log lines go. Ids of single files may hold characters that a path must not. */
export function pluginLogPath(homeDir: string, pluginId: string): string {
  return join(homeDir, 'logs', `${pluginId.replace(/[^\w.-]/g, '_')}.log`);
}

export interface LogFile {
  /** Appends bytes or text as they are. Never throws: a full disk must not break what is logged. */
  write(chunk: Uint8Array | string): void;
}

/**
 * The log file at `path`, mode 0600 in a folder of mode 0700. When it would pass `maxBytes` it becomes `<path>.1`, whose
 * former content goes: a plugin that floods its log takes twice `maxBytes` of disk and no more. Writes are synchronous,
 * so that the last words of a crash stand there when it is reported, and no file stays open between them: several
 * writers, also of several hosts, share it.
 */
export function openLogFile(path: string, maxBytes: number = DEFAULT_MAX_BYTES): LogFile {
  return {
    write(chunk) {
      const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
      const part = bytes.length > maxBytes ? bytes.subarray(bytes.length - maxBytes) : bytes;
      try {
        const size = statSync(path, { throwIfNoEntry: false })?.size;
        if (size === undefined) mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
        else if (size > 0 && size + part.length > maxBytes) renameSync(path, `${path}.1`);
        appendFileSync(path, part, { mode: 0o600 });
      } catch {
        // The log is a convenience; its loss is not the plugin's fault and stops nothing.
      }
    },
  };
}
