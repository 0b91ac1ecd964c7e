import { readFileSync } from 'node:fs';
import { eventBodySchema } from '@toolpost/protocol/schemas';
import { expect, test } from 'vitest';

test('docs/the-call-path.md tells of every kind of event that there is, and of no other', () => {
  const text = readFileSync(new URL('../docs/the-call-path.md', import.meta.url), 'utf8');
  const tables = text.matchAll(/^\| event \|.*\n((?:\|.*\n)+)/gm);
  const rows = [...tables].flatMap(([, body = '']) => body.split('\n').filter((row) => row.startsWith('| `')));
  const documented = rows.flatMap((row) =>
    [...(row.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, name]) => name),
  );
  const known = eventBodySchema.options.map(({ shape }) => shape.type.value);
  expect(documented.toSorted()).toEqual(known.toSorted());
});
