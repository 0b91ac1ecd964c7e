import { existsSync, mkdtempSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type ContentBlock, type ToolResult, textOf } from '@toolpost/protocol';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { capResult } from './cap-result.ts';
import { createOutputFiles } from './output-files.ts';

function textResult(text: string): ToolResult {
  return { content: [{ type: 'text', text }], isError: false };
}

function filesIn(dir: string) {
  const problems: string[] = [];
  return { files: createOutputFiles(dir, (message) => void problems.push(message)), problems };
}

function of(id: string, tenant = '') {
  return { tenant, id };
}

function newDir(): string {
  return mkdtempSync(join(tmpdir(), 'toolpost-cap-'));
}

describe('capResult', () => {
  test('a text within the cap is returned as it is, in the same object', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 100 }), (text) => {
        const result = textResult(text);
        expect(capResult(result, Math.max(1, Buffer.byteLength(text)), () => 'unused')).toBe(result);
      }),
    );
  });

  test('of a longer one the head and the tail stay, whole characters only, and the file has it all', () => {
    const longText = fc.array(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 5 }), {
      minLength: 20,
      maxLength: 60,
    });
    fc.assert(
      fc.property(longText, fc.integer({ min: 1, max: 60 }), (parts, maxBytes) => {
        const text = parts.join('').toWellFormed();
        fc.pre(Buffer.byteLength(text) > maxBytes);
        let kept: string | undefined;
        const capped = capResult(textResult(text), maxBytes, (extension, content) => {
          kept = content;
          return `/outputs/c.${extension}`;
        });
        const shown = textOf(capped.content);
        const [head = '', rest = ''] = shown.split('\n[... ');
        const tail = rest.slice(rest.indexOf(' ...]\n') + ' ...]\n'.length);
        expect(kept).toBe(text);
        expect(text.startsWith(head) && text.endsWith(tail)).toBe(true);
        expect(shown.isWellFormed()).toBe(true);
        // A replacement character is there only when the text itself has one.
        expect(shown.includes('\ufffd')).toBe(head.includes('\ufffd') || tail.includes('\ufffd'));
        expect(text.includes('\ufffd') || !shown.includes('\ufffd')).toBe(true);
        expect(Buffer.byteLength(head + tail)).toBeLessThanOrEqual(maxBytes);
        expect(shown).toContain('the whole text is in /outputs/c.txt');
        expect(capped.metadata).toEqual({ fullOutput: '/outputs/c.txt', fullOutputBytes: Buffer.byteLength(text) });
      }),
    );
  });

  test('when the file cannot be written, the text says how much is missing and names no file', () => {
    const { metadata, content } = capResult(textResult('x'.repeat(1000)), 100, () => undefined);
    expect(metadata).toEqual({ fullOutputBytes: 1000 });
    expect(textOf(content)).toContain('900 of 1000 bytes left out ...]');
  });

  test('names the file that a tool has written by itself, with the bytes of its whole, and writes no second one', () => {
    const metadata = { fullOutput: '/outputs/bash.txt', fullOutputBytes: 100_000 };
    const kept: string[] = [];
    const cap = (more = {}) =>
      capResult({ ...textResult('x'.repeat(1000)), metadata: { ...metadata, ...more } }, 100, (_, content) => {
        kept.push(content);
        return 'second';
      });
    expect(textOf(cap().content)).toContain(
      '[... 99900 of 100000 bytes left out; the whole text is in /outputs/bash.txt ...]',
    );
    expect(textOf(cap({ fullOutputCutAt: 5000 }).content)).toContain('the start of the text is in /outputs/bash.txt');
    expect(cap().metadata).toEqual(metadata);
    expect(kept).toEqual([]);
  });

  test('an error stays an error, and its metadata is kept', () => {
    const capped = capResult(
      { ...textResult('x'.repeat(1000)), isError: true, metadata: { exitCode: 3 } },
      100,
      () => 'f',
    );
    expect(capped).toMatchObject({ isError: true, metadata: { exitCode: 3, fullOutput: 'f' } });
  });

  test('an embedded text resource is capped as text is', () => {
    const resource: ContentBlock = { type: 'resource', resource: { uri: 'file:///big', text: 'r'.repeat(500_000) } };
    let kept = '';
    const capped = capResult({ content: [resource], isError: false }, 1000, (_extension, content) => {
      kept = content;
      return '/outputs/c.txt';
    });
    expect(JSON.stringify(capped).length).toBeLessThan(3000);
    expect(kept).toContain('r'.repeat(500_000));
    expect(JSON.stringify(capped)).toContain('/outputs/c.txt');
  });

  test('binary blocks beyond 20 million characters are named in their place, those before it stay', () => {
    const image: ContentBlock = { type: 'image', data: 'A'.repeat(15_000_000), mimeType: 'image/png' };
    const { content } = capResult({ content: [image, image], isError: false }, 100_000, () => undefined);
    expect(content[0]).toBe(image);
    expect(content[1]).toMatchObject({
      type: 'text',
      text: expect.stringContaining('a block of kind image was left out'),
    });
  });

  test('structured content beyond the cap goes to a file', () => {
    const structuredContent = { list: 'x'.repeat(2_000_000) };
    let kept = '';
    const capped = capResult({ ...textResult('short'), structuredContent }, 1000, (extension, content) => {
      kept = content;
      return `/outputs/c.${extension}`;
    });
    expect(capped.structuredContent).toBeUndefined();
    expect(capped.metadata).toMatchObject({ fullStructuredContent: '/outputs/c.json' });
    expect(JSON.parse(kept)).toEqual(structuredContent);
  });

  test('metadata beyond 1 MB keeps its short entries, and stays within the cap when there are only short ones', () => {
    const big = capResult(
      { ...textResult('a'), metadata: { kind: 'x', blob: 'y'.repeat(2_000_000) } },
      1000,
      () => 'f',
    );
    expect(big.metadata).toEqual({ kind: 'x', metadataCapped: true });
    const entries = Array.from({ length: 100_000 }, (_, index) => [`key-${index}`, 'z'.repeat(50)]);
    const many = capResult({ ...textResult('a'), metadata: Object.fromEntries(entries) }, 1000, () => 'f');
    expect(JSON.stringify(many.metadata).length).toBeLessThan(2_500_000);
    expect(many.metadata).toMatchObject({ 'key-0': 'z'.repeat(50), metadataCapped: true });
  });
});

describe('output files', () => {
  test('are private, and belong to one session', () => {
    const dir = newDir();
    const { files } = filesIn(dir);
    const file = files.keep({ session: of('s1'), callId: 'c1', extension: 'txt' }, 'whole') ?? '';
    expect(readFileSync(file, 'utf8')).toBe('whole');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(file)).mode & 0o777).toBe(0o700);
    expect(files.isOwn(file, of('s1'))).toBe(true);
    expect(files.isOwn(file, of('s2'))).toBe(false);
    expect(files.isOwn(join(dirname(file), '..', 's2', 'c1.txt'), of('s1'))).toBe(false);
  });

  test('a call id that comes again overwrites nothing', () => {
    const { files } = filesIn(newDir());
    const place = { session: of('s'), callId: 'call_0', extension: 'txt' };
    const names = ['one', 'two', 'three'].map((text) => files.keep(place, text) ?? '');
    expect(names.map((name) => readFileSync(name, 'utf8'))).toEqual(['one', 'two', 'three']);
  });

  test('no id climbs out of the folder, and no two sessions share one', () => {
    const dir = newDir();
    const { files } = filesIn(dir);
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), (a, b, tenant) => {
        const file = files.keep({ session: of(a), callId: b, extension: 'txt' }, 'x') ?? '';
        const theirs = files.keep({ session: of(a, tenant), callId: b, extension: 'txt' }, 'x') ?? '';
        expect(dirname(dirname(theirs))).toBe(join(dir, 'cache', 'outputs'));
        if (tenant !== '') expect(files.isOwn(theirs, of(a))).toBe(false);
        if (a !== b) expect(files.isOwn(theirs, of(b, tenant))).toBe(false);
        expect(dirname(dirname(file))).toBe(join(dir, 'cache', 'outputs'));
        expect(files.isOwn(file, of(a))).toBe(true);
        if (a !== b) expect(files.isOwn(file, of(b))).toBe(false);
      }),
    );
    for (const [a, b] of [
      ['a/b', 'a_b'],
      ['a', 'A'],
      [`${'l'.repeat(200)}1`, `${'l'.repeat(200)}2`],
    ] as const) {
      const file = files.keep({ session: of(a), callId: 'c', extension: 'txt' }, 'x') ?? '';
      expect(files.isOwn(file, of(b))).toBe(false);
    }
  });

  test('a folder that cannot be made costs a warning that names it', () => {
    const dir = newDir();
    writeFileSync(join(dir, 'cache'), 'a file stands here');
    const { files, problems } = filesIn(dir);
    expect(files.keep({ session: of('s'), callId: 'c', extension: 'txt' }, 'x')).toBeUndefined();
    expect(problems[0]).toContain(join(dir, 'cache', 'outputs', 's'));
  });

  test('those of a session that was quiet for a week are removed, others stay', () => {
    const { files } = filesIn(newDir());
    const old = files.keep({ session: of('old'), callId: 'c', extension: 'txt' }, 'x') ?? '';
    const young = files.keep({ session: of('young'), callId: 'c', extension: 'txt' }, 'x') ?? '';
    const eightDaysAgo = Date.now() / 1000 - 8 * 24 * 3600;
    utimesSync(dirname(old), eightDaysAgo, eightDaysAgo);
    files.prune();
    expect([existsSync(old), existsSync(young)]).toEqual([false, true]);
  });
});
