import { createHash } from 'node:crypto';
import { openConfined } from './open-confined.ts';
import { fileFailure, ToolFailure } from './tool-failure.ts';

/** A larger file is no text that a model edits by quoting from it. */
export const MAX_EDITED_BYTES = 64 * 1024 * 1024;
const CHUNK_BYTES = 1024 * 1024;

/**
 * All bytes of the regular file at a checked real path.
 * @throws ToolFailure when it has more than MAX_EDITED_BYTES.
 */
export async function readWhole(path: string, shown: string): Promise<Buffer> {
  const content = await readUpTo(MAX_EDITED_BYTES, path, shown);
  if (content !== undefined) return content;
  throw new ToolFailure(`${shown} has more than ${MAX_EDITED_BYTES} bytes, the most that edit takes; use a command`);
}

/** The same; nothing for a file that has more bytes. */
export async function readUpTo(maxBytes: number, path: string, shown: string): Promise<Buffer | undefined> {
  const handle = await openConfined(path, shown);
  try {
    const { size } = await handle.stat();
    return size > maxBytes ? undefined : await handle.readFile();
  } catch (error) {
    throw fileFailure(error, shown);
  } finally {
    await handle.close();
  }
}

/** What `digestOf` says about a file's content, in constant memory. */
export async function digestOfFile(path: string, shown: string, abortSignal: AbortSignal): Promise<string> {
  const handle = await openConfined(path, shown);
  try {
    const digest = createHash('sha1');
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    for (;;) {
      abortSignal.throwIfAborted();
      const { bytesRead } = await handle.read(chunk, 0, CHUNK_BYTES, null);
      if (bytesRead === 0) return digest.digest('hex');
      digest.update(chunk.subarray(0, bytesRead));
    }
  } catch (error) {
    throw fileFailure(error, shown);
  } finally {
    await handle.close();
  }
}
