import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createWorkspace } from './fixtures/workspace.ts';

const pieces = [
  'a',
  'b',
  'ab',
  '\t',
  '  ',
  '$&',
  '\\',
  '\u00e9',
  'e\u0301',
  '\u{1F600}',
  '\u0000',
  '\n',
  '\r\n',
  '\n\n',
  '\r\n\r\n',
];
const content = fc.tuple(fc.constantFrom('', '\ufeff'), fc.array(fc.constantFrom(...pieces), { maxLength: 40 }));
const newText = fc.array(fc.constantFrom('x', '$1', '\u{1F389}', '\n', 'y z', '\u00e9'), { maxLength: 6 });

/** The expected file, computed on characters: slow, plain, and by other means than the tool's. */
function expectedEdit(file: string, oldText: string, replacement: string, all: boolean): string | undefined {
  const characters = Array.from(file.matchAll(/\r\n|./gsu), ([text]) => text);
  const wanted = Array.from(oldText.matchAll(/./gsu), ([text]) => text);
  const isMatch = (at: number): boolean =>
    wanted.every(
      (text, index) => characters[at + index] === text || (text === '\n' && characters[at + index] === '\r\n'),
    );
  const starts = characters.map((_, at) => at).filter(isMatch);
  if (starts.length === 0 || (starts.length > 1 && !all)) return undefined;
  const isLineEnd = (text: string): boolean => text === '\n' || text === '\r\n';
  let result = '';
  for (let at = 0; at < characters.length; ) {
    if (!isMatch(at)) {
      result += characters[at++];
      continue;
    }
    const own = characters.slice(at, at + wanted.length).filter(isLineEnd);
    const after = characters.slice(at + wanted.length).find(isLineEnd);
    const ends = own.length > 0 ? own : [after ?? characters.slice(0, at).findLast(isLineEnd) ?? '\n'];
    let count = 0;
    result += replacement.replace(/\n/g, () => ends[Math.min(count++, ends.length - 1)] ?? '');
    at += wanted.length;
  }
  return result;
}

test('equals an independent computation byte for byte (1,500 random edits)', async () => {
  const { file, bytes, call } = createWorkspace();
  let edited = 0;
  let run = 0;
  const scenario = fc.record({ content, newText, from: fc.nat(), length: fc.nat(12), all: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(scenario, async ({ content: [mark, body], newText, from, length, all }) => {
      const before = mark + body.join('');
      const characters = Array.from(before.replaceAll('\r\n', '\n'));
      const start = from % (characters.length + 1);
      const oldText = characters.slice(start, start + 1 + length).join('') || 'absent';
      const replacement = newText.join('');
      const name = `${run++}.txt`;
      file(name, before);
      const input = { file_path: name, old_string: oldText, new_string: replacement, replace_all: all };
      const { isError } = await call('edit', input);
      const expected = oldText === replacement ? undefined : expectedEdit(before, oldText, replacement, all);
      const isChange = expected !== undefined && expected !== before;
      expect(isError).toBe(!isChange);
      expect(bytes(name)).toEqual(Buffer.from(isChange ? expected : before));
      if (isChange) edited++;
    }),
    { numRuns: 1500 },
  );
  expect(edited).toBeGreaterThan(500);
}, 60_000);
