import { isUtf8 } from 'node:buffer';
import type { JsonObject, ToolResult } from '@toolpost/protocol';
import { type BuiltinCallContext, type BuiltinSettings, type PreviewContext, textResult } from './builtin-tool.ts';
import { type ConfinedPath, resolveInRoots } from './confine-path.ts';
import { describeChange, regionOfChange } from './describe-change.ts';
import { queueByPath } from './path-queue.ts';
import { digestOfFile, MAX_EDITED_BYTES, readUpTo } from './read-whole.ts';
import { replaceFile } from './replace-file.ts';
import { ABSENT_DIGEST, digestOf, withSeen } from './seen-files.ts';
import { ToolFailure } from './tool-failure.ts';
import { pathInput, textInput } from './tool-input.ts';

/** `write`: the file holds exactly `content` afterwards, or what it held before. */
export async function writeFile(
  input: JsonObject,
  context: BuiltinCallContext,
  settings: BuiltinSettings,
): Promise<ToolResult> {
  const write = await readWrite(input, context.roots);
  const { shown, content } = write;
  const { path } = await placeOf(write, context, settings);
  return queueByPath(path, async () => {
    context.abortSignal.throwIfAborted();
    // Again: a write that was queued before may have made it.
    const place = await placeOf(write, context, settings);
    const former = await readFormer(place, write, context, settings);
    const expected = former === 'too-large' ? undefined : former;
    await replaceFile({ target: path, content, shown, expected, abortSignal: context.abortSignal });
    const digest = digestOf(content);
    (await settings.seenFiles()).remember(context.session, path, digest);
    const done = textResult(`Successfully wrote ${content.length} bytes to ${shown}`, describeWrite(write, former));
    return withSeen(done, path, digest);
  });
}

/**
 * The diff that `write` would make; where there can be none, what it would replace and the new content. The yes is for
 * the file as it was shown: when it changes before the answer, the write is refused.
 */
export async function previewWrite(
  input: JsonObject,
  context: PreviewContext,
  settings: BuiltinSettings,
): Promise<string> {
  const write = await readWrite(input, context.roots);
  const { shown, content } = write;
  const { path } = await placeOf(write, context, settings);
  const former = await queueByPath(path, async () => {
    const shownFile = await readFormer(await placeOf(write, context, settings), write, context, settings);
    context.abortSignal.throwIfAborted();
    if (shownFile === 'too-large') return shownFile;
    const digest = shownFile === 'absent' ? ABSENT_DIGEST : digestOf(shownFile);
    (await settings.seenFiles()).remember(context.session, path, digest);
    return shownFile;
  });
  const { diff } = describeWrite(write, former);
  if (typeof diff === 'string') return diff;
  if (Buffer.isBuffer(former) && former.equals(content)) return `${shown} already holds exactly this content`;
  if (content.length === 0) return `${shown} would be empty`;
  const { diff: added } = describeChange(shown, EMPTY, content, regionOfChange(EMPTY, content));
  return former === 'absent'
    ? added
    : `All that ${shown} holds now, which is no text to compare, would be replaced.\n${added}`;
}

const EMPTY = Buffer.alloc(0);

interface Write {
  shown: string;
  content: Buffer;
}

async function readWrite(input: JsonObject, roots: readonly string[]): Promise<Write> {
  return { shown: await pathInput(input, roots), content: Buffer.from(textInput(input, 'content')) };
}

function placeOf(
  { shown }: Write,
  { roots, session: { readOnlyRoots } }: PreviewContext,
  { homeDir }: BuiltinSettings,
): Promise<ConfinedPath> {
  return resolveInRoots(roots, shown, { forWrite: true, homeDir, readOnlyRoots });
}

/** What the file holds now. */
type Former = Buffer | 'absent' | 'too-large';

/** @throws ToolFailure when the session saw the file with another content. */
async function readFormer(
  { path, exists }: ConfinedPath,
  { shown }: Write,
  { session, abortSignal }: PreviewContext,
  settings: BuiltinSettings,
): Promise<Former> {
  if (!exists && shown.endsWith('/')) throw new ToolFailure(`${shown} names a folder: add the name of the file`);
  if (!exists) return 'absent';
  const former = await readUpTo(MAX_EDITED_BYTES, path, shown);
  await (await settings.seenFiles()).assertCurrent({ session, path, shown }, () =>
    former === undefined ? digestOfFile(path, shown, abortSignal) : digestOf(former),
  );
  return former ?? 'too-large';
}

function describeWrite({ shown, content }: Write, former: Former): JsonObject {
  if (former === 'too-large') return {};
  const before = former === 'absent' ? EMPTY : former;
  if (before.equals(content) || !isUtf8(before) || before.length + content.length > MAX_EDITED_BYTES) return {};
  return { ...describeChange(shown, before, content, regionOfChange(before, content)) };
}
