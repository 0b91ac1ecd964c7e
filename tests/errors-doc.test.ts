import { readFileSync } from 'node:fs';
import { ERROR_CODES } from '@toolpost/protocol';
import { expect, test } from 'vitest';

test('docs/errors.md has the same codes, meanings and remedies as the code', () => {
  const text = readFileSync(new URL('../docs/errors.md', import.meta.url), 'utf8');
  const rows = text.split('\n').filter((line) => line.startsWith('| `'));
  const documented = rows.map((row) => {
    const [, code = '', meaning, remedy] = row.split('|').map((cell) => cell.trim());
    return [code.replaceAll('`', ''), { meaning, remedy }];
  });
  expect(Object.fromEntries(documented)).toEqual(ERROR_CODES);
  expect(documented.map(([code]) => code)).toEqual(Object.keys(ERROR_CODES));
});
