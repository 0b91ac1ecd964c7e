import { basename, dirname, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
/** Our own code: the folder of the source, or the one of the bundle. */
const OWN_FOLDER = (basename(here) === 'call-path' ? dirname(here) : here) + sep;
const FRAME = /^ +at (?:async )?(?:.*\()?((?:file:\/\/|\/|[A-Za-z]:\\)[^\n]*?):(\d+):\d+\)?$/;

/** Where a tool threw: the place as `FILE:LINE`, and the stack without our own frames, which tell its author nothing. */
export interface ThrownAt {
  readonly place: string;
  readonly stack: string;
}

/** Undefined for what our code threw for a tool, such as an error that a process answered. */
export function thrownAt(error: unknown): ThrownAt | undefined {
  if (!(error instanceof Error) || typeof error.stack !== 'string') return undefined;
  const lines = error.stack.split('\n');
  const frames = lines.flatMap((line) => placeIn(line) ?? []);
  const own = frames.find((place) => !/[\\/]node_modules[\\/]/.test(place)) ?? frames[0];
  if (own === undefined) return undefined;
  return { place: own, stack: lines.filter((line) => !/^ +at /.test(line) || placeIn(line) !== undefined).join('\n') };
}

function placeIn(line: string): string | undefined {
  const [, file, number] = FRAME.exec(line) ?? [];
  if (file === undefined) return undefined;
  const path = file.startsWith('file:') ? fileURLToPath(file) : file;
  return path.startsWith(OWN_FOLDER) ? undefined : `${path}:${number}`;
}
