import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The pages by MCP Apps that calls have shown, by what is in them: history shows what was shown. */
const FOLDER = 'cache/apps';

/** Keeps a page, once, and gives the name that it has from now on. */
export async function keepPage(homeDir: string, html: string): Promise<string> {
  const hash = createHash('sha256').update(html).digest('hex');
  await mkdir(join(homeDir, FOLDER), { recursive: true, mode: 0o700 });
  await writeFile(pathOf(homeDir, hash), html, { flag: 'wx', mode: 0o600 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  return hash;
}

/** The page of that name; undefined where there is none any more, or where it is no name of a page. */
export async function readKeptPage(homeDir: string, hash: unknown): Promise<string | undefined> {
  if (typeof hash !== 'string' || !/^[0-9a-f]{64}$/.test(hash)) return undefined;
  const html = await readFile(pathOf(homeDir, hash), 'utf8').catch(() => undefined);
  // What was cut off while it was written is not what the name says.
  return html !== undefined && createHash('sha256').update(html).digest('hex') === hash ? html : undefined;
}

function pathOf(homeDir: string, hash: string): string {
  return join(homeDir, FOLDER, `${hash}.html`);
}
