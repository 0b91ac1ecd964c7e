// Builds the client for browsers, and the frame in which interfaces of tools run.
import { createHash } from 'node:crypto';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './repository.js';
import { collectPackages, NOTICES, writeNotices } from './third-party-notices.js';

const web = path.join(root, 'packages/web');

/** Into each of `targets`. It takes longer than all the rest, so it is built when something that goes into it has changed. */
export async function buildWebClient(targets) {
  const stampFile = path.join(web, 'dist/.client-stamp');
  const stamp = fingerprint(['packages/web', 'packages/protocol/src', 'package-lock.json']);
  const built = path.join(web, 'dist/client');
  if (!existsSync(stampFile) || readFileSync(stampFile, 'utf8') !== stamp) {
    const [{ build }, { buildFrame }] = await Promise.all([
      import('vite'),
      import(pathToFileURL(path.join(web, 'build-frame.js')).href),
    ]);
    const packages = new Set();
    const plugins = [collectPackages(packages)];
    await build({ root: web, plugins });
    await buildFrame(plugins);
    writeNotices(path.join(built, NOTICES), packages);
    writeFileSync(stampFile, stamp);
  }
  for (const target of targets) {
    rmSync(target, { recursive: true, force: true });
    cpSync(built, target, { recursive: true });
    cpSync(path.join(web, 'dist/frame'), path.join(target, 'frame'), { recursive: true });
  }
}

/** Of the contents: a file that is written again as it was is no change. */
function fingerprint(inputs) {
  const hash = createHash('sha256');
  const isOutput = (file) => /(^|[\\/])(dist|node_modules|test)([\\/]|$)/.test(file);
  for (const input of inputs) {
    const start = path.join(root, input);
    if (!existsSync(start)) continue;
    const below = statSync(start).isDirectory() ? readdirSync(start, { recursive: true }).map(String).sort() : [''];
    for (const name of below) {
      const file = path.join(start, name);
      if (!isOutput(name) && statSync(file).isFile()) hash.update(`${input}/${name}\0`).update(readFileSync(file));
    }
  }
  return hash.digest('hex');
}
