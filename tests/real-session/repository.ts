import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** A small repository whose test fails: runs of blanks and blanks at the ends become dashes of their own. */
export const REPOSITORY: Readonly<Record<string, string>> = {
  'package.json': `{
  "name": "titles",
  "private": true,
  "type": "module",
  "scripts": { "test": "node test/slugify.test.js" }
}
`,
  'src/slugify.js': `/** Makes the last part of an address from a title. */
export function slugify(title) {
  return title.toLowerCase().replace(/[^a-z0-9]/g, '-');
}
`,
  'src/page.js': `import { slugify } from './slugify.js';

export const addressOf = (page) => \`/pages/\${slugify(page.title)}\`;
`,
  'test/slugify.test.js': `import { slugify } from '../src/slugify.js';

const cases = {
  'Release notes': 'release-notes',
  'Ways  to   begin': 'ways-to-begin',
  ' What is new? ': 'what-is-new',
};

for (const [title, expected] of Object.entries(cases)) {
  const slug = slugify(title);
  const isRight = slug === expected;
  console.log(\`\${isRight ? 'ok    ' : 'FAILED'} slugify('\${title}') is '\${slug}'\${isRight ? '' : \`, not '\${expected}'\`}\`);
  if (!isRight) process.exitCode = 1;
}
`,
};

export function writeRepository(dir: string): void {
  for (const [name, text] of Object.entries(REPOSITORY)) {
    mkdirSync(path.dirname(path.join(dir, name)), { recursive: true });
    writeFileSync(path.join(dir, name), text);
  }
}
