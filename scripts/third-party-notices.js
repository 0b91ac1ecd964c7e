// What is bundled of other packages comes with their licence texts, as these ask for.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export const NOTICES = 'third-party-notices.txt';
const LICENSE_FILE = /^(licen[cs]e|copying|notice)([.-].*)?$/i;

/** A plugin of a bundler that adds the folder of each package in the bundle to `folders`. */
export function collectPackages(folders) {
  return {
    name: 'collect-packages',
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
      for (const id of chunks.flatMap((chunk) => chunk.moduleIds)) {
        const folder = packageFolder(id);
        if (folder) folders.add(folder);
      }
    },
  };
}

/** Writes the notices of these packages, one after the other by name. */
export function writeNotices(file, folders) {
  const notices = [...new Set([...folders].map(noticeOf))].sort();
  writeFileSync(file, `This file names the packages that are bundled here.\n\n${notices.join('\n')}`);
}

/** Of a module by its path: with bundlers' marks around it, below the innermost `node_modules`. */
function packageFolder(id) {
  const [, folder] = /^\0?(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/?\0]+)[\\/]/.exec(id) ?? [];
  return folder && path.isAbsolute(folder) ? folder : undefined;
}

function noticeOf(folder) {
  const {
    name,
    version,
    license = 'see its repository',
  } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  const files = readdirSync(folder).filter((file) => LICENSE_FILE.test(file));
  const texts = files.map((file) => readFileSync(path.join(folder, file), 'utf8').trim());
  return [`${name} ${version} (${license})`, ...texts, ''].join('\n\n');
}
