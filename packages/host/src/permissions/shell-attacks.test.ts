import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createPermissions } from './decide.ts';
import { builtins, decide, onLines } from './fixtures/decisions.ts';

const allow = ['bash(git status)', 'bash(git log *)', 'bash(echo *)'];

test.each([
  ['substitutions', ['git status$(id)', 'git `echo status`', 'echo "a" "`id`"', 'echo $"a`id`"', 'echo $[1]']],
  ['process substitutions', ['git log <(id)', 'git log >(id)']],
  ['redirections', ['git log >| f', 'git log <> f', 'git log >& f', 'git log {fd}> f', 'git log 3< f', '>f', '<f']],
  ['closed streams', ['git log <&-', 'git log 2>&1']],
  ['here-documents', ['git log <<E\n$(id)\nE', "git log <<'E'\nx\nE", 'git log <<-E\n\tE\nevil', 'git log <<< x']],
  ['aliases', ['alias git=evil', 'alias git=evil\ngit status', 'unalias -a; git status']],
  ['functions', ['git() { evil; }; git status', 'function git { evil; }\ngit status', 'git() (evil)\ngit status']],
  [
    'what runs another',
    ['eval git status', 'exec git status', 'command git status', 'env git status', '. git', 'time evil'],
  ],
  ['environments', ['A=1 git status', 'PATH=. git status', 'a+=1 git status', 'a=(x)', 'export PATH=.; git status']],
  ['the other side of a separator', ['git status && evil', 'git status &\nevil', 'git status|evil', 'git status;evil']],
  ['line ends', ['git status\n\n\nevil', 'git status\\\n&& evil', 'git status #\nevil', 'git status\revil']],
  ['line ends of Unicode', ['git status\u2028evil', 'git status\u0085evil', 'git status\u000bevil']],
  ['other blanks and letters', ['git\u00a0status', 'g\u0131t status', '\uff47it status', 'git status\uff1bevil']],
  ['invisible characters', ['echo \u202ea', 'echo a\u200b', 'echo \u{e0041}', 'git\u00ad status']],
  [
    'compound commands',
    ['(git status)', '{ git status; }', 'if git status; then :; fi', 'case x in x) git status;; esac'],
  ],
  [
    'shell state',
    ['set -x; git status', 'trap evil EXIT', 'cd x && git status', 'shopt -s expand_aliases; git status'],
  ],
  [
    'expansions',
    ['echo $x', `echo \${x:=evil}`, 'echo a{b,c}', 'echo !(x)', "echo $'a'", 'echo $((1))', '[g]it status'],
  ],
  ['lines that do not end', ["echo 'a", 'echo "a', 'echo `', 'git status ;;', 'git status )', 'git status \\']],
])('no allow rule covers %s', async (_name, lines) => {
  const decisions = await onLines({ allow }, lines);
  expect(lines.filter((_line, index) => decisions[index] !== 'ask')).toEqual([]);
});

test('separators, comments and quotes inside a quoted word are a part of it', async () => {
  const lines = [
    'echo "a; evil && b | c"',
    "echo '$(evil) `evil` # > f'",
    'echo a#b',
    'echo "a\nb"',
    "echo 'it'\\''s'",
  ];
  expect(await onLines({ allow }, lines)).toEqual(lines.map(() => 'allow'));
});

test('a deny rule looks behind what runs another command, inside quotes too', async () => {
  const lines = [
    'sh -c "exec rm x"',
    'eval "sudo rm x"',
    'bash <<E\nenv A=1 rm x\nE',
    'f() rm x',
    'coproc C { rm x; }',
    'a=(`rm x`)',
    'while read f; do rm x; done',
    'ls |& rm x',
    'ls # rm y\nrm x',
    '<f rm x',
    'rm\\\n x',
  ];
  expect(await onLines({ allow: ['bash'], deny: ['bash(rm *)'] }, lines)).toEqual(lines.map(() => 'deny'));
});

const hasBash = process.platform !== 'win32' && existsSync('/bin/bash');

test.skipIf(!hasBash)('what a rule allows never runs another command in a real bash (needs /bin/bash)', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'toolpost-attack-'));
  const log = join(dir, 'log');
  writeFileSync(join(dir, 'evil'), `#!/bin/sh\necho ran >> '${log}'\n`);
  chmodSync(join(dir, 'evil'), 0o755);
  const permissions = await createPermissions({ allow: ['bash(echo *)', 'bash(true)', 'bash(printf *)'] });
  const unit = fc.constantFrom(
    ...[' ', ' ', '\n', "'", '"', '\\', '#', 'evil', 'echo ', 'true', '!', '[', ']', '*', '?', '~', '^', '=', '%'],
    ...['a', '1', ',', ':', '&&', ';', '|', '\\\n', '$', '(', ')', '`', '<', '>', '{', '}', '&', 'E', '\t', 'x='],
  );
  const start = fc.constantFrom('echo ', 'true', 'true\n', 'printf x', "echo '", 'echo "');
  const lines = fc.tuple(start, fc.array(unit, { minLength: 2, maxLength: 14 })).map(([a, b]) => a + b.join(''));
  const allowed = new Set<string>();
  fc.assert(
    fc.property(lines, (command) => {
      const isAllowed = decide(permissions, builtins.bash, { command }).decision === 'allow';
      if (isAllowed && command.includes('evil')) allowed.add(command);
    }),
    { numRuns: 5000 },
  );
  expect(allowed.size).toBeGreaterThan(20);
  const env = { PATH: `${dir}:/usr/bin:/bin` };
  for (const command of [...allowed].slice(0, 100)) {
    spawnSync('/bin/bash', ['--norc', '-c', '--', command], { cwd: dir, env, stdio: 'ignore', timeout: 5000 });
    expect(existsSync(log), JSON.stringify(command)).toBe(false);
  }
  rmSync(dir, { recursive: true });
});
