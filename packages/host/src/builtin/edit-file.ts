import { isUtf8 } from 'node:buffer';
import { setImmediate } from 'node:timers/promises';
import type { JsonObject, ToolResult } from '@toolpost/protocol';
import { type BuiltinCallContext, type BuiltinSettings, type PreviewContext, textResult } from './builtin-tool.ts';
import { resolveInRoots } from './confine-path.ts';
import { type ChangeDescription, describeChange } from './describe-change.ts';
import { findSpans, type Span } from './find-spans.ts';
import { queueByPath } from './path-queue.ts';
import { MAX_EDITED_BYTES, readWhole } from './read-whole.ts';
import { replaceFile } from './replace-file.ts';
import { digestOf, withSeen } from './seen-files.ts';
import { spliceText } from './splice-text.ts';
import { ToolFailure } from './tool-failure.ts';
import { pathInput, textInput } from './tool-input.ts';

const MAX_LISTED_MATCHES = 20;
/** More would take the host's memory and seconds of its time. */
const MAX_REPLACEMENTS = 1_000_000;
/** Whether there are more makes no difference to whoever is told. */
const MAX_COUNTED_MATCHES = 5_000_000;
/** How long a search may hold up the host at a time. */
const SLICE_MS = 8;

interface Edit {
  shown: string;
  oldText: string;
  newText: string;
  replaceAll: boolean;
  /**
   * A LF of the old text stands for CRLF too, and one of the new text is written as the file's. An old text that spells
   * out a CR is taken byte by byte, and so is its new text.
   */
  foldsCr: boolean;
}

/** `edit`: exactly one stretch of a UTF-8 file changes (with `replace_all`, each that matches); all other bytes stay. */
export async function editFile(
  input: JsonObject,
  context: BuiltinCallContext,
  settings: BuiltinSettings,
): Promise<ToolResult> {
  const edit = await readEdit(input, context.roots);
  const { shown } = edit;
  const path = await pathOf(edit, context, settings);
  return queueByPath(path, async () => {
    context.abortSignal.throwIfAborted();
    const change = await planChange(edit, path, context, settings);
    const { before, after } = change;
    await replaceFile({ target: path, content: after, shown, expected: before, abortSignal: context.abortSignal });
    const digest = digestOf(after);
    (await settings.seenFiles()).remember(context.session, path, digest);
    const replaced = edit.replaceAll ? { replacements: change.spans.length } : {};
    const done = textResult(`Successfully edited ${shown}`, { ...describeEdit(edit, change), ...replaced });
    return withSeen(done, path, digest);
  });
}

/**
 * The diff that `edit` would make, by the same steps up to the write. The yes is for the file as it was shown: when it
 * changes before the answer, the edit is refused.
 */
export async function previewEdit(
  input: JsonObject,
  context: PreviewContext,
  settings: BuiltinSettings,
): Promise<string> {
  const edit = await readEdit(input, context.roots);
  const path = await pathOf(edit, context, settings);
  return queueByPath(path, async () => {
    const change = await planChange(edit, path, context, settings);
    context.abortSignal.throwIfAborted();
    (await settings.seenFiles()).remember(context.session, path, digestOf(change.before));
    return describeEdit(edit, change).diff;
  });
}

async function pathOf(
  { shown }: Edit,
  { roots, session: { readOnlyRoots } }: PreviewContext,
  { homeDir }: BuiltinSettings,
): Promise<string> {
  return (await resolveInRoots(roots, shown, { forWrite: true, homeDir, readOnlyRoots })).path;
}

interface Change {
  before: Buffer;
  after: Buffer;
  spans: readonly Span[];
}

async function planChange(
  edit: Edit,
  path: string,
  { session, abortSignal }: PreviewContext,
  settings: BuiltinSettings,
): Promise<Change> {
  const { shown } = edit;
  const before = await readText(path, shown);
  await (await settings.seenFiles()).assertCurrent({ session, path, shown }, () => digestOf(before));
  const spans = await chooseSpans(before, edit, abortSignal);
  assertFits(before, spans, edit);
  const after = spliceText(before, spans, edit.newText, edit.foldsCr);
  if (after.equals(before)) throw new ToolFailure(`${shown} would not change: the new text is what stands there`);
  return { before, after, spans };
}

async function readEdit(input: JsonObject, roots: readonly string[]): Promise<Edit> {
  const shown = await pathInput(input, roots);
  const oldText = textInput(input, 'old_string');
  const newText = textInput(input, 'new_string');
  if (oldText === '')
    throw new ToolFailure('old_string is empty: quote the text to replace, or use write for a new file');
  if (oldText === newText) throw new ToolFailure('old_string and new_string are the same: nothing would change');
  return { shown, oldText, newText, replaceAll: input.replace_all === true, foldsCr: !oldText.includes('\r') };
}

async function readText(path: string, shown: string): Promise<Buffer> {
  const content = await readWhole(path, shown);
  if (!isUtf8(content))
    throw new ToolFailure(`${shown} is not UTF-8 text and was left as it is; edit it with a command`);
  return content;
}

/** @throws ToolFailure when the old text is not there, or more than once without `replace_all`. */
async function chooseSpans(file: Buffer, edit: Edit, abortSignal: AbortSignal): Promise<Span[]> {
  const needle = Buffer.from(edit.oldText);
  const foldsCr = edit.foldsCr && edit.oldText.includes('\n');
  const spans: Span[] = [];
  let count = 0;
  let sliceEnd = performance.now() + SLICE_MS;
  for (const span of findSpans(file, needle, { foldsCr, overlapping: !edit.replaceAll })) {
    if (span === undefined) {
      if (performance.now() < sliceEnd) continue;
      await setImmediate();
      abortSignal.throwIfAborted();
      sliceEnd = performance.now() + SLICE_MS;
      continue;
    }
    if (++count > MAX_COUNTED_MATCHES) break;
    if (edit.replaceAll && count > MAX_REPLACEMENTS) throw tooMany(edit.shown);
    if (edit.replaceAll || count <= MAX_LISTED_MATCHES) spans.push(span);
  }
  if (count === 0) throw notFound(file, edit);
  if (count > 1 && !edit.replaceAll) throw ambiguous(edit.shown, count, spans);
  return spans;
}

function tooMany(shown: string): ToolFailure {
  return new ToolFailure(
    `old_string matches more than ${MAX_REPLACEMENTS} times in ${shown}, the most that edit replaces; nothing was changed. ` +
      'Use a command',
  );
}

/** @throws ToolFailure when the file would grow beyond what can be edited: a short match and a long new text multiply. */
function assertFits(file: Buffer, spans: readonly Span[], { shown, newText }: Edit): void {
  const added = spans.length * Buffer.byteLength(newText);
  const removed = spans.reduce((bytes, { start, end }) => bytes + end - start, 0);
  const size = file.length + added - removed;
  if (added <= removed || size <= MAX_EDITED_BYTES) return;
  throw new ToolFailure(
    `${shown} would grow to ${size} bytes, and edit makes no file larger than ${MAX_EDITED_BYTES}; nothing was changed. ` +
      'Replace less, or use a command',
  );
}

function notFound(file: Buffer, { shown, oldText }: Edit): ToolFailure {
  const hasCrlf = oldText.includes('\r\n') && file.includes(oldText.replaceAll('\r\n', '\n'));
  const hint = hasCrlf
    ? 'The file has LF line ends where old_string has CRLF'
    : 'It must match exactly, with its indentation and blanks; read the file again';
  return new ToolFailure(`old_string not found in ${shown}. ${hint}`);
}

function ambiguous(shown: string, count: number, spans: readonly Span[]): ToolFailure {
  const lines = spans.map((span) => span.line).join(', ');
  const rest = count > spans.length ? ` and ${count - spans.length} more` : '';
  const times = count > MAX_COUNTED_MATCHES ? `more than ${MAX_COUNTED_MATCHES}` : count;
  return new ToolFailure(
    `old_string matches ${times} times in ${shown}, on lines ${lines}${rest}; nothing was changed. ` +
      'Add lines around it until it is unique, or set replace_all',
  );
}

function describeEdit({ shown }: Edit, { before, after, spans }: Change): ChangeDescription {
  const { start = 0, line = 1 } = spans[0] ?? {};
  const endBefore = spans.at(-1)?.end ?? start;
  const region = { start, line, endBefore, endAfter: endBefore + after.length - before.length };
  return describeChange(shown, before, after, region);
}
