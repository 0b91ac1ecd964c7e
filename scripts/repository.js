import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

/** The Node that everything of the repository runs on; the package `node` of the root's devDependencies brings it. */
export const pinnedNode = path.join(root, 'node_modules/node/bin', process.platform === 'win32' ? 'node.exe' : 'node');

export const launcher = path.join(root, 'packages/cli/bin/toolpost.js');

/** Standard output belongs to the command that comes after the set-up. */
export function say(text) {
  process.stderr.write(`${text}\n`);
}
