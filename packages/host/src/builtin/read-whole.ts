import { openConfined } from './open-confined.ts';
import { fileFailure, ToolFailure } from './tool-failure.ts';

/** A larger file is no text that a model edits by quoting from it. */
export const MAX_EDITED_BYTES = 64 * 1024 * 1024;

export interface ReadWholeOptions {
  whenTooLarge: 'fail' | 'skip';
}

/** All bytes of the regular file at a checked real path. */
export async function readWhole(
  path: string,
  shown: string,
  { whenTooLarge }: ReadWholeOptions,
): Promise<Buffer | undefined> {
  const handle = await openConfined(path, shown);
  try {
    const { size } = await handle.stat();
    if (size <= MAX_EDITED_BYTES) return await handle.readFile();
    if (whenTooLarge === 'skip') return undefined;
    throw new ToolFailure(`${shown} has ${size} bytes; edit takes at most ${MAX_EDITED_BYTES}. Use a command instead`);
  } catch (error) {
    throw fileFailure(error, shown);
  } finally {
    await handle.close();
  }
}
