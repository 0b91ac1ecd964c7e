import { dirname, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { plainText } from './terminal-text.ts';

const OWN_FOLDER = dirname(fileURLToPath(import.meta.url)) + sep;
const FRAME = /^ +at (?:async )?(?:.*\()?((?:file:\/\/|\/|[A-Za-z]:\\|node:)[^\n]*?):\d+:\d+\)?$/;

/**
 * A native plugin may throw where no call is there to take it: in a timer, in a promise that nobody awaits, in a listener
 * of an abort. That is no reason to lose the session and everybody else's calls: it is told, and the work goes on.
 */
export function survivePluginErrors(): void {
  const tell = (error: unknown) => {
    const { isOfPlugin, detail } = describeStray(detailOf(error), OWN_FOLDER);
    const whose = isOfPlugin ? 'a native plugin' : 'a native plugin, or of Toolpost';
    process.stderr.write(`toolpost: warning: nobody caught this error of ${whose}:\n${plainText(detail)}\n`);
  };
  process.on('uncaughtException', tell);
  process.on('unhandledRejection', tell);
}

/**
 * A stack without our own frames, which tell the author of a plugin nothing. One that has no others may be our fault, or
 * that of a plugin that left alone what it got from us, such as the reason of an abort.
 */
export function describeStray(stack: string, ownFolder: string): { isOfPlugin: boolean; detail: string } {
  const lines = stack.split('\n');
  const others = lines.filter((line) => {
    const file = fileOf(line);
    return file === undefined || !(file.startsWith('node:') || file.startsWith(ownFolder));
  });
  const isOfPlugin = others.some((line) => fileOf(line) !== undefined);
  return { isOfPlugin, detail: isOfPlugin ? others.join('\n') : stack };
}

function fileOf(line: string): string | undefined {
  const place = FRAME.exec(line)?.[1];
  return place?.startsWith('file:') ? fileURLToPath(place) : place;
}

function detailOf(error: unknown): string {
  try {
    return error instanceof Error ? (error.stack ?? error.message) : String(error);
  } catch {
    return 'it cannot be read';
  }
}
