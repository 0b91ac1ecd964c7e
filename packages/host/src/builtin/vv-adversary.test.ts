import { execFileSync } from 'node:child_process';
import { chmodSync, linkSync, lstatSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'vitest';
import { createWorkspace, type Workspace } from './fixtures/workspace.ts';
const log = (...a: unknown[]) => console.log(...a.map((x) => (typeof x === 'string' ? x : JSON.stringify(x)).slice(0, 500)));
async function one(title: string, before: string | Buffer, o: string, n: string, more = {}) {
  const w = createWorkspace();
  w.file('a.txt', before);
  const input = { file_path: 'a.txt', old_string: o, new_string: n, ...more };
  const p = await w.preview('edit', input).catch((e) => `PE ${e.message}`);
  const t = performance.now();
  const r = await w.call('edit', input).catch((e) => ({ isError: true, text: e.message, metadata: {} }));
  const after = w.bytes('a.txt').toString();
  log(title, r.isError, r.text, JSON.stringify(after).slice(0, 200), `agree=${p === (r.metadata as any).diff}`, JSON.stringify({ ...(r.metadata as any) }).slice(0, 300), `${Math.round(performance.now() - t)}ms`, readdirSync(w.root));
}
test('x', async () => {
  await one('mid-crlf old ends in CR', 'a\r\nb\r\n', 'a\r', 'X');
  await one('mid-crlf old ends CR -> new ends CR', 'a\r\nb\r\n', 'a\r', 'X\r');
  await one('old starts LF of CRLF', 'a\r\nb\r\n', '\nb', 'Z');
  await one('new starts LF', 'a\r\nb\r\n', 'a', 'a\n');
  await one('old = LF single crlf file', 'a\r\n', '\n', '\n\n');
  await one('old CR CR LF', 'a\r\r\nb', 'a\r\nb', 'x\ny');
  await one('fold CRCRLF', 'a\r\r\nb', '\nb', 'Z');
  await one('fold a\\nb over CRCRLF', 'a\r\r\nb', 'a\nb', 'Z');
  await one('border mixed', 'a\r\nx\nb\r\n', 'x', 'p\nq');
  await one('border mixed2', 'a\nx\r\nb\n', 'x', 'p\nq');
  await one('BOM off 0 a', '\ufeffone\n', '\ufeffone', 'two');
  await one('BOM off 0 b', '\ufeffone\n', 'one', 'two');
  await one('BOM new has BOM', '\ufeffone\n', 'one', '\ufeffone2');
  await one('empty file', '', 'a', 'b');
  await one('repl overlap', 'aaaaa', 'aa', 'aaa', { replace_all: true });
  await one('repl selfcontain', 'ab ab', 'ab', 'abab', { replace_all: true });
  await one('repl overlap crlf', '\r\n\r\n\r\n', '\n\n', '\n', { replace_all: true });
  await one('repl to empty', 'xx', 'x', '', { replace_all: true });
  await one('20MB line', Buffer.concat([Buffer.alloc(20e6, 'y'), Buffer.from('needle'), Buffer.alloc(1e6, 'z')]), 'needle', 'pin');
  await one('20MB repl all many', Buffer.alloc(20e6, 'ab'), 'a', 'cd', { replace_all: true });
  await one('final newline remove', 'a\n', 'a\n', 'a');
  await one('only lone CR file', 'a\rb\rc', 'b', 'x\ny');
  await one('NUL', 'a\0b', 'a', 'c');
  await one('latin1', Buffer.from([0x61, 0xe9]), 'a', 'c');
  await one('new lone surrogate', 'a', 'a', 'c\ud83d');
  await one('split codepoint', 'é', '\u0065\u0301', 'x');
  await one('replace_all str', 'a a', 'a', 'b', { replace_all: 'true' as any });
}, 60000);
async function swap(title: string, f: (w: Workspace, p: string) => void) {
  const w = createWorkspace();
  const p = w.file('a.txt', 'one\ntwo\n');
  await w.call('read', { file_path: 'a.txt' });
  f(w, p);
  for (const [tool, input] of [['edit', { file_path: 'a.txt', old_string: 'two', new_string: 'TWO' }], ['write', { file_path: 'a.txt', content: 'new' }], ['read', { file_path: 'a.txt' }]] as const) {
    const t = performance.now();
    const r = await w.call(tool, input).catch((e) => ({ isError: true, text: `THROW ${e.name} ${e.message}` }));
    log(title, tool, r.isError, r.text.replaceAll('\n', '|'), `${Math.round(performance.now() - t)}ms`, readdirSync(w.root), (() => { try { const s = lstatSync(p); return `${s.mode.toString(8)} ${s.size} nlink${s.nlink}`; } catch (e) { return String(e); } })());
  }
}
test('y', async () => {
  await swap('dir', (_, p) => { rmSync(p); mkdirSync(p); });
  await swap('symlink out', (w, p) => { rmSync(p); writeFileSync(join(w.dir, 'out'), 'one\ntwo\n'); symlinkSync(join(w.dir, 'out'), p); });
  await swap('symlink in', (w, p) => { renameSync(p, join(w.root, 'b')); symlinkSync('b', p); });
  await swap('dangling', (_, p) => { rmSync(p); symlinkSync('nope', p); });
  await swap('loop', (_, p) => { rmSync(p); symlinkSync('a.txt', p); });
  await swap('fifo', (_, p) => { rmSync(p); execFileSync('mkfifo', [p]); });
  await swap('gone', (_, p) => { rmSync(p); });
  await swap('ro', (_, p) => { chmodSync(p, 0o444); });
  await swap('rodir', (w) => { chmodSync(w.root, 0o555); });
  await swap('hard', (w, p) => { linkSync(p, join(w.root, 'h')); });
  await swap('suid', (_, p) => { chmodSync(p, 0o4755); });
  await swap('000', (_, p) => { chmodSync(p, 0o000); });
  await swap('sparse', (_, p) => { truncateSync(p, 40e6); });
  await swap('big', (_, p) => { truncateSync(p, 65 * 1024 * 1024); });
  await swap('huge', (_, p) => { truncateSync(p, 5e12); });
  const w = createWorkspace();
  w.file('p.txt', 'A B\n');
  const rs = await Promise.allSettled([w.call('edit', { file_path: 'p.txt', old_string: 'A', new_string: 'a' }, { sessionId: 's1' }), w.call('edit', { file_path: './p.txt', old_string: 'B', new_string: 'b' }, { sessionId: 's2' })]);
  log('par', rs, w.bytes('p.txt').toString());
  symlinkSync('p.txt', join(w.root, 'q'));
  const rs2 = await Promise.allSettled([w.call('edit', { file_path: 'p.txt', old_string: 'a', new_string: '1' }, { sessionId: 's1' }), w.call('edit', { file_path: 'q', old_string: 'b', new_string: '2' }, { sessionId: 's3' })]);
  log('par link', rs2, w.bytes('p.txt').toString());
  linkSync(join(w.root, 'p.txt'), join(w.root, 'hl'));
  const rs3 = await Promise.allSettled([w.call('edit', { file_path: 'p.txt', old_string: '1', new_string: 'x1' }, { sessionId: 's8' }), w.call('edit', { file_path: 'hl', old_string: '2', new_string: 'y2' }, { sessionId: 's9' })]);
  log('par hardlink', rs3, w.bytes('p.txt').toString(), w.bytes('hl').toString());
  for (const name of ['a\nb', 'a"b\'c', 'a\tb', ' lead', 'trail ', 'x\\y', '--- a', 'ü\u0301', 'a'.repeat(255), 'a'.repeat(256), '-rf', '~', '~/x', '$HOME', 'd/', 'd/.', '.', '', 'é\ud83d', 'n\0m', 'a.txt/b']) {
    const r = await w.call('write', { file_path: name, content: 'hello\n' }).catch((e) => ({ isError: true, text: `THROW ${e.name}: ${e.message}`, metadata: {} }));
    const e = r.isError ? undefined : await w.call('edit', { file_path: name, old_string: 'hello', new_string: 'bye' }).catch((x) => ({ text: x.message, metadata: {} }));
    log('name', JSON.stringify(name).slice(0, 30), r.isError, r.text, e?.text ?? '', (e?.metadata as any)?.diff ?? '');
  }
  log(readdirSync(w.root), statSync(w.root).mode);
}, 60000);
