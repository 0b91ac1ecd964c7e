import { spawnSync } from 'node:child_process';
import { existsSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createWorkspace } from './fixtures/workspace.ts';

/** An access control list that gives user 12345 the right to read, as the kernel stores it. */
const SET = `
import os, struct, sys
entries = [(1, 6, -1), (2, 4, 12345), (4, 4, -1), (16, 4, -1), (32, 0, -1)]
acl = struct.pack('<I', 2) + b''.join(struct.pack('<HHi', *entry) for entry in entries)
os.setxattr(sys.argv[1], 'system.posix_acl_access', acl)
os.setxattr(sys.argv[1], 'user.origin', b'a \\x00 value')`;
const LIST = `
import os, sys
for name in sorted(os.listxattr(sys.argv[1])):
  if name.startswith(('user.', 'system.')): print(name, os.getxattr(sys.argv[1], name).hex())`;

function python(script: string, path: string): { status: number | null; stdout: string } {
  return spawnSync('python3', ['-c', script, path], { encoding: 'utf8' });
}

/** Linux, GNU's cp, python3 to look, and a file system that has attributes. */
function canKeep(): boolean {
  if (process.platform !== 'linux' || !['/usr/bin/cp', '/bin/cp'].some((path) => existsSync(path))) return false;
  const probe = join(tmpdir(), `toolpost-attributes-${process.pid}`);
  writeFileSync(probe, '');
  const isGnu = spawnSync('cp', ['--version'], { encoding: 'utf8' }).stdout.includes('GNU');
  const { status } = python(SET, probe);
  rmSync(probe);
  return isGnu && status === 0;
}

test.skipIf(!canKeep()).each(['edit', 'write'])(
  '%s keeps access control lists and extended attributes, and the time is that of the change (needs Linux, GNU cp, python3, attributes)',
  async (tool) => {
    const { file, bytes, call } = createWorkspace();
    const path = file('a.txt', 'one two\n');
    expect(python(SET, path).status).toBe(0);
    const before = python(LIST, path).stdout;
    expect(before).toMatch(/system\.posix_acl_access .*\nuser\.origin 6120002076616c7565\n/);
    utimesSync(path, 1_000_000_000, 1_000_000_000);
    const { ino, mode } = statSync(path);

    const input =
      tool === 'edit'
        ? { file_path: 'a.txt', old_string: 'two', new_string: '2' }
        : { file_path: 'a.txt', content: '' };
    expect((await call(tool, input)).isError).toBe(false);
    expect(bytes('a.txt').toString()).toBe(tool === 'edit' ? 'one 2\n' : '');
    expect(python(LIST, path).stdout).toBe(before);
    const after = statSync(path);
    expect(after.ino).not.toBe(ino);
    expect(after.mode).toBe(mode);
    expect(Date.now() - after.mtimeMs).toBeLessThan(60_000);
  },
);
