import { createInterface } from 'node:readline/promises';
import { openTrust } from '@toolpost/host';
import { printNow } from './print.ts';
import { plainText, visibleText } from './terminal-text.ts';
import { meaningOfTrust } from './trust-meaning.ts';

/**
 * Asks a person at a terminal about project files that nobody has accepted yet, or that changed since. Without a yes they
 * stay ignored, as everywhere else.
 */
export async function askTrust(roots: readonly string[]): Promise<void> {
  const store = await openTrust(process.env);
  for (const root of roots) {
    const check = store.check(root);
    if (check.status !== 'unknown' && check.status !== 'changed') continue;
    const names = check.status === 'changed' ? check.changes : Object.keys(check.files.hashes);
    const what = check.status === 'changed' ? 'changed since you trusted them' : 'not trusted yet';
    const list = names.map((name) => `  ${visibleText(name)}\n`).join('');
    printNow(plainText(`Project files in ${check.files.root}, ${what}:\n${list}`));
    const lines = createInterface({ input: process.stdin, output: process.stdout });
    const question = `${meaningOfTrust(names)} Trust them as they are now? [y/N] `;
    const said = await lines.question(question).catch(() => '');
    lines.close();
    if (/^y(es)?$/i.test(said.trim())) store.accept(check.files);
  }
}
