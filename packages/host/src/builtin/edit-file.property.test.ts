import { existsSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createWorkspace } from './fixtures/workspace.ts';

/** `TOOLPOST_EDITS=10000` for a long run. */
const EDITS = Number(process.env.TOOLPOST_EDITS ?? 300);
// Each edit waits until the disk has it: in memory that takes no time.
if (existsSync('/dev/shm')) process.env.TMPDIR = '/dev/shm';

const short = fc.constantFrom(
  ...['a', 'b', 'ab', '\t', '  ', '$&', '\\', '\u00e9', 'e\u0301', '\u{1F600}', '\u0000', '\u2028', '\ufeff'],
  ...['\n', '\r\n', '\n\n', '\r\n\r\n', '\n', '\r\n', '\r'],
);
const long = fc.tuple(fc.constantFrom('x', 'ab', '\u{1F600}', 'y\n'), fc.integer({ min: 1000, max: 9000 }));
const piece = fc.oneof(
  { weight: 20, arbitrary: short },
  { weight: 4, arbitrary: fc.string({ unit: 'grapheme', maxLength: 5 }) },
  { weight: 1, arbitrary: long.map(([text, count]) => text.repeat(count)) },
);
const content = fc.tuple(fc.constantFrom('', '\ufeff'), fc.array(piece, { maxLength: 40 }));
const newText = fc.array(
  fc.oneof(
    fc.constantFrom('x', '$1', '\u{1F389}', '\n', 'y z', '\u00e9', '\r\n'),
    fc.string({ unit: 'grapheme', maxLength: 3 }),
  ),
  { maxLength: 6 },
);

const isLineEnd = (text: string | undefined): boolean => text === '\n' || text === '\r\n';

/** The expected file, computed on characters: slow, plain, and by other means than the tool's. */
function expectedEdit(file: string, oldText: string, replacement: string, all: boolean): string | undefined {
  if (oldText.includes('\r')) return expectedExactEdit(file, oldText, replacement, all);
  const characters = Array.from(file.matchAll(/\r\n|./gsu), ([text]) => text);
  const wanted = Array.from(oldText);
  const isMatch = (at: number): boolean =>
    wanted.every(
      (text, index) => characters[at + index] === text || (text === '\n' && characters[at + index] === '\r\n'),
    );
  const starts = characters.map((_, at) => at).filter(isMatch);
  if (starts.length === 0 || (starts.length > 1 && !all)) return undefined;
  const parts: string[] = [];
  const lineEnds = characters.flatMap((text, at) => (isLineEnd(text) ? [at] : []));
  let passed = 0;
  for (let at = 0; at < characters.length; ) {
    if (!isMatch(at)) {
      parts.push(characters[at++] ?? '');
      continue;
    }
    const own = characters.slice(at, at + wanted.length).filter(isLineEnd);
    while ((lineEnds[passed] ?? Number.POSITIVE_INFINITY) < at) passed++;
    // Without one of its own, the next one below, else the last one above.
    const ends = own.length > 0 ? own : [characters[lineEnds[passed] ?? lineEnds.at(-1) ?? -1] ?? '\n'];
    let count = 0;
    parts.push(replacement.replace(/(?<!\r)\n/g, () => ends[Math.min(count++, ends.length - 1)] ?? ''));
    at += wanted.length;
  }
  return parts.join('');
}

/** An old text that spells out a CR is taken byte by byte, and so is the new one. */
function expectedExactEdit(file: string, oldText: string, replacement: string, all: boolean): string | undefined {
  const first = file.indexOf(oldText);
  if (first < 0) return undefined;
  if (all) return file.split(oldText).join(replacement);
  if (file.includes(oldText, first + 1)) return undefined;
  return file.slice(0, first) + replacement + file.slice(first + oldText.length);
}

test(`equals an independent computation byte for byte (${EDITS} random edits)`, async () => {
  const { file, bytes, call } = createWorkspace();
  let edited = 0;
  let run = 0;
  const place = { from: fc.nat(), length: fc.nat(12), all: fc.boolean(), spellsCr: fc.boolean() };
  await fc.assert(
    fc.asyncProperty(fc.record({ content, newText, ...place }), async (scenario) => {
      const [mark, body] = scenario.content;
      const before = (mark + body.join('')).toWellFormed();
      const source = scenario.spellsCr ? before : before.replaceAll('\r\n', '\n');
      const characters = Array.from(source);
      const start = scenario.from % (characters.length + 1);
      const oldText = characters.slice(start, start + 1 + scenario.length).join('') || 'absent';
      const replacement = scenario.newText.join('').toWellFormed();
      const name = `${run++ % 100}.txt`;
      file(name, before);
      const input = { file_path: name, old_string: oldText, new_string: replacement, replace_all: scenario.all };
      const { isError } = await call('edit', input, { sessionId: `session-${run}` });
      const expected = oldText === replacement ? undefined : expectedEdit(before, oldText, replacement, scenario.all);
      const isChange = expected !== undefined && expected !== before;
      expect(isError).toBe(!isChange);
      expect(bytes(name).equals(Buffer.from(isChange ? expected : before))).toBe(true);
      if (isChange) edited++;
    }),
    { numRuns: EDITS },
  );
  expect(edited).toBeGreaterThan(EDITS / 4);
}, 600_000);
