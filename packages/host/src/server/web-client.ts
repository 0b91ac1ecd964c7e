import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** One file of the built client. */
export interface ClientFile {
  readonly contentType: string;
  readonly body: Uint8Array<ArrayBuffer>;
  /** Whether its name says what is in it, so that it may be kept for ever. */
  readonly isHashed: boolean;
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Beside the bundle of the command, and in the `dist` of this package. */
const FOLDERS = ['./web', '../../dist/web'];

/** Where it was built to; undefined where it is not built. */
export function findWebClient(): string | undefined {
  return FOLDERS.map((folder) => fileURLToPath(new URL(folder, import.meta.url))).find((dir) =>
    namesIn(dir).includes('index.html'),
  );
}

/**
 * The files of the client in `dir`, each read when it is asked for the first time. Only what was there at the start has
 * a name here: no path of a request is looked up on the disk.
 */
export function createClientFiles(dir: string): (path: string) => ClientFile | undefined {
  const below = ['assets', 'frame'].flatMap((folder) => namesIn(join(dir, folder)).map((name) => `${folder}/${name}`));
  const names = new Set([...namesIn(dir), ...below]);
  const read = new Map<string, ClientFile>();
  return (path) => {
    const contentType = TYPES[extname(path)];
    if (!names.has(path) || contentType === undefined) return undefined;
    const known = read.get(path);
    if (known) return known;
    const body = new Uint8Array(readFileSync(join(dir, path)));
    const file = { contentType, body, isHashed: path.startsWith('assets/') };
    read.set(path, file);
    return file;
  };
}

function namesIn(dir: string): string[] {
  try {
    return readdirSync(dir);
  } catch {
    return [];
  }
}
