// Writes what the commands of the documentation answer now into its pages: node tests/update-pages.ts [PAGE ...]
// Read the difference before you commit it: the pages promise it to users.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { playPage, repository, timeless } from './documented-page.ts';
import { PAGES } from './documented-pages.ts';

const wanted = process.argv.slice(2).map((name) => path.relative(repository, path.resolve(name)));

for (const [page, packages] of Object.entries(PAGES)) {
  if (wanted.length > 0 && !wanted.includes(page)) continue;
  const file = path.join(repository, page);
  let text = readFileSync(file, 'utf8');
  for (const { command, output, answer } of await playPage(page, packages)) {
    if (timeless(output) === timeless(answer)) continue;
    process.stdout.write(`${page}: ${command}\n`);
    const end = answer === '' || answer.endsWith('\n') ? '' : '\n';
    text = text.replace(`$ ${command}\n${output}`, () => `$ ${command}\n${answer}${end}`);
  }
  writeFileSync(file, text);
}
