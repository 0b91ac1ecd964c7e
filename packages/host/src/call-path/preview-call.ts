import type { JsonObject } from '@toolpost/protocol';
import type { CallInProgress, CallPath, ReadyCall } from './call-in-progress.ts';
import { runnerFor } from './runner-for.ts';

/** A person waits for the question: a preview that takes longer is left out. */
const PREVIEW_TIMEOUT_MS = 2000;
/** 200 lines of a diff, and what is said about it. */
const MAX_PREVIEW_LINES = 204;
const MAX_LINE_CHARACTERS = 2000;

/**
 * What the tool says the call would do, for the person who is asked about it. Never rejects: a preview that fails,
 * takes too long or is no text is none. The tool gets a copy of the arguments, which are asked about as they are.
 */
export async function previewCall(
  path: CallPath,
  { session, options }: CallInProgress,
  { tool, input }: Pick<ReadyCall, 'tool' | 'input'>,
): Promise<string | undefined> {
  const runner = runnerFor(tool, session.tenant);
  if (!runner.preview) return undefined;
  const controller = new AbortController();
  const ended = Promise.withResolvers<undefined>();
  const end = () => {
    controller.abort();
    ended.resolve(undefined);
  };
  const timer = setTimeout(end, PREVIEW_TIMEOUT_MS);
  options.abortSignal?.addEventListener('abort', end, { once: true });
  if (options.abortSignal?.aborted) end();
  const { settings } = runner.services;
  const context = { session, roots: session.roots, settings, abortSignal: controller.signal };
  try {
    const making = Promise.resolve(runner.preview(tool.definition, structuredClone<JsonObject>(input), context));
    const text = await Promise.race([making, ended.promise]);
    return typeof text === 'string' && text.trim() !== '' ? shortened(path.redact(text.toWellFormed())) : undefined;
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
    options.abortSignal?.removeEventListener('abort', end);
  }
}

function shortened(text: string): string {
  const lines = text.split('\n', MAX_PREVIEW_LINES + 1);
  const more = lines.length > MAX_PREVIEW_LINES ? countLines(text) - MAX_PREVIEW_LINES : 0;
  const shown = lines.slice(0, MAX_PREVIEW_LINES).map(shortLine).join('\n');
  return more === 0 ? shown : `${shown}\n... (${more} more ${more === 1 ? 'line' : 'lines'})`;
}

function shortLine(line: string): string {
  if (line.length <= MAX_LINE_CHARACTERS) return line;
  return `${line.slice(0, MAX_LINE_CHARACTERS).toWellFormed()}... (${line.length - MAX_LINE_CHARACTERS} more characters)`;
}

function countLines(text: string): number {
  let count = 1;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}
