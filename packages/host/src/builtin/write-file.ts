import { isUtf8 } from 'node:buffer';
import type { JsonObject, ToolResult } from '@toolpost/protocol';
import { type BuiltinCallContext, type BuiltinSettings, textResult } from './builtin-tool.ts';
import { type ConfinedPath, resolveInRoots } from './confine-path.ts';
import { describeChange, regionOfChange } from './describe-change.ts';
import { queueByPath } from './path-queue.ts';
import { MAX_EDITED_BYTES, readWhole } from './read-whole.ts';
import { replaceFile } from './replace-file.ts';
import { digestOf } from './seen-files.ts';
import { pathInput, textInput } from './tool-input.ts';

/** `write`: the file holds exactly `content` afterwards, or what it held before. */
export async function writeFile(
  input: JsonObject,
  context: BuiltinCallContext,
  settings: BuiltinSettings,
): Promise<ToolResult> {
  const shown = pathInput(input);
  const content = Buffer.from(textInput(input, 'content'));
  const place = await resolveInRoots(context.roots, shown, { forWrite: true, homeDir: settings.homeDir });
  const { id } = context.session;
  return queueByPath(place.path, async () => {
    context.abortSignal.throwIfAborted();
    const seen = await settings.seenFiles();
    const former = await readFormer(place, shown);
    if (former) seen.assertCurrent(id, place.path, digestOf(former), shown);
    await replaceFile({ target: place.path, content, shown, abortSignal: context.abortSignal });
    seen.remember(id, place.path, digestOf(content));
    const text = `Successfully wrote ${content.length} bytes to ${shown}`;
    return textResult(text, describeWrite(shown, former ?? Buffer.alloc(0), content));
  });
}

/** What the file held; nothing for a new file, and for one that is too large to be compared. */
async function readFormer(place: ConfinedPath, shown: string): Promise<Buffer | undefined> {
  return place.exists ? readWhole(place.path, shown, { whenTooLarge: 'skip' }) : undefined;
}

function describeWrite(shown: string, former: Buffer, content: Buffer): JsonObject {
  if (former.equals(content) || !isUtf8(former) || former.length + content.length > MAX_EDITED_BYTES) return {};
  return { ...describeChange(shown, former, content, regionOfChange(former, content)) };
}
