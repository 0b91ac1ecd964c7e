import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { openTrust } from '@toolpost/host';
import { print } from '../print.ts';
import { plainText, visibleText } from '../terminal-text.ts';
import { meaningOfTrust } from '../trust-meaning.ts';
import { UsageError } from '../usage-error.ts';

/** `toolpost trust`: a person accepts the project files of a directory, as they are now. */
export async function trust(dir: string, { forget }: { forget: boolean }): Promise<number> {
  const root = resolve(dir);
  if (!statSync(root, { throwIfNoEntry: false })?.isDirectory()) {
    throw new UsageError(`the directory ${root} does not exist`);
  }
  const store = await openTrust(process.env);
  if (forget) {
    await print(store.forget(root) ? `${root} is not trusted any more\n` : `${root} was not trusted\n`);
    return 0;
  }
  const check = store.check(root);
  if (check.status === 'refused') throw check.error;
  if (check.status === 'nothing-to-trust') {
    await print(`There is nothing to trust in ${root}: it has no AGENTS.md, .mcp.json or .toolpost/\n`);
    return 0;
  }
  store.accept(check.files);
  const names = Object.keys(check.files.hashes);
  const list = names.map((name) => `  ${visibleText(name)}\n`).join('');
  await print(plainText(`Trusted in ${check.files.root}, as they are now:\n${list}${meaningOfTrust(names)}\n`));
  return 0;
}
