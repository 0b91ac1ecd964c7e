import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import type { JsonObject, ToolResult } from '@toolpost/protocol';
import { type BuiltinCallContext, type BuiltinSettings, textResult } from './builtin-tool.ts';
import { resolveInRoots } from './confine-path.ts';
import { createLineWindow, type LineWindow, type WindowPlace } from './line-window.ts';
import { openConfined } from './open-confined.ts';
import { withSeen } from './seen-files.ts';
import { fileFailure, ToolFailure } from './tool-failure.ts';
import { countInput, pathInput } from './tool-input.ts';

const CHUNK_BYTES = 256 * 1024;
/** The same stretch in which git looks for a NUL. */
const PROBED_BYTES = 8000;

/** `read`: lines of a text file, in constant memory whatever the size of the file. */
export async function readFile(
  input: JsonObject,
  context: BuiltinCallContext,
  settings: BuiltinSettings,
): Promise<ToolResult> {
  const shown = await pathInput(input, context.roots);
  const place = {
    offset: countInput(input, 'offset'),
    lineOffset: countInput(input, 'line_offset'),
    limit: countInput(input, 'limit', { minimum: 1, fallback: Number.MAX_SAFE_INTEGER }),
  };
  const access = { homeDir: settings.homeDir, session: context.session };
  const { path } = await resolveInRoots(context.roots, shown, access);
  const handle = await openConfined(path, shown);
  try {
    const window = createLineWindow(place);
    const digest = await scan(handle, window, { shown, abortSignal: context.abortSignal });
    (await settings.seenFiles()).remember(context.session, path, digest);
    return withSeen(describe(window, place, shown), path, digest);
  } catch (error) {
    throw fileFailure(error, shown);
  } finally {
    await handle.close();
  }
}

/** Feeds the whole file to the window and returns its digest. */
async function scan(
  handle: FileHandle,
  window: LineWindow,
  { shown, abortSignal }: { shown: string; abortSignal: AbortSignal },
): Promise<string> {
  const digest = createHash('sha1');
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  for (let isFirst = true; ; isFirst = false) {
    abortSignal.throwIfAborted();
    const { bytesRead } = await handle.read(chunk, 0, CHUNK_BYTES, null);
    if (bytesRead === 0) break;
    const bytes = chunk.subarray(0, bytesRead);
    if (isFirst) assertText(bytes, shown);
    digest.update(bytes);
    window.push(bytes);
  }
  window.end();
  return digest.digest('hex');
}

function assertText(start: Buffer, shown: string): void {
  if (!start.subarray(0, PROBED_BYTES).includes(0)) return;
  const mark = start.toString('hex', 0, 2);
  const kind = mark === 'fffe' || mark === 'feff' ? 'UTF-16 text' : 'a binary file';
  throw new ToolFailure(`${shown} is ${kind}; read shows UTF-8 text only`);
}

function describe(window: LineWindow, { offset, lineOffset }: WindowPlace, shown: string): ToolResult {
  const { lines, totalLines, firstLineBytes, isUtf8 } = window;
  const end = offset + lines.length;
  const notes: string[] = [];
  if (lines.length > 0 && lineOffset > 0 && lineOffset >= firstLineBytes) {
    notes.push(`(line ${offset + 1} has ${firstLineBytes} bytes, line_offset=${lineOffset} is behind them)`);
  }
  if (!isUtf8) notes.push('(not UTF-8: bytes that cannot be decoded are shown as \ufffd)');
  if (lines.length > 0 && end < totalLines) {
    notes.push(`Lines ${offset + 1}-${end} of ${totalLines} (use offset=${end} to read more):`);
  }
  return textResult([...notes, ...lines].join('\n'), { path: shown, total_lines: totalLines });
}
