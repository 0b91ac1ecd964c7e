import type { JsonObject } from '@toolpost/protocol';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { RegisteredTool } from '../registry/registered-tool.ts';
import { createPermissions, type PermissionRequest } from './decide.ts';
import {
  builtins,
  decide,
  decisionsOf,
  type Extra,
  onLines,
  onPaths,
  ROOT,
  session,
  toolOf,
} from './fixtures/decisions.ts';

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

  test('a path in the spelling by which a root was given is inside, and its remedy is as narrow as for any other', async () => {
    const linked = { ...session, rootSpellings: [{ root: ROOT, spelling: '/home/ann/link' }] };
    const read = { realPaths: [`${ROOT}/notes/a.txt`] };
    expect(await onPaths({}, builtins.read, ['/home/ann/link/notes/a.txt'], read)).toEqual(['allow']);
    expect(await onPaths({}, builtins.read, ['/home/ann/link/notes/a.txt'], { realPaths: ['/etc/a'] })).toEqual([
      'ask',
    ]);
    const patterns = ['/home/ann/link/**/*.ts', '/home/ann/link2/**/*.ts'].map((pattern) => ({ pattern }));
    expect(await decisionsOf({}, builtins.glob, patterns, { session: linked })).toEqual(['allow', 'ask']);
    const permissions = await createPermissions();
    const asked = decide(permissions, builtins.edit, { file_path: '/home/ann/link/notes/a.txt' }, read);
    expect(asked.remedy).toContain("--allow 'edit(notes/a.txt)'");
  });

  test('a yes to an ask by default may be kept; one to a rule, or to a write that always asks, may not', async () => {
    const permissions = await createPermissions({ ask: ['bash(git push*)'] });
    const mayBeKept = (tool: RegisteredTool, input: JsonObject, extra: Extra = {}) =>
      decide(permissions, tool, input, extra).mayBeKept;
    expect(mayBeKept(builtins.bash, { command: 'npm test' })).toBe(true);
    expect(mayBeKept(builtins.bash, { command: 'git push' })).toBe(false);
    expect(mayBeKept(builtins.bash, { command: 'cp x .git/hooks/pre-commit' })).toBe(false);
    expect(mayBeKept(builtins.write, { file_path: 'src/a.ts' })).toBe(true);
    expect(mayBeKept(builtins.write, { file_path: '.toolpost/config.json' })).toBe(false);
    const throughLink = { tool: builtins.write, input: { file_path: 'link/config' }, session, shadowsAnother: false };
    expect(permissions.pathsToResolve(throughLink)).toEqual([`${ROOT}/link/config`]);
    const realPaths = [`${ROOT}/.git/config`];
    expect(mayBeKept(builtins.write, throughLink.input, { realPaths })).toBe(false);
    expect(mayBeKept(builtins.read, { file_path: '.env' })).toBe(true);
    expect(mayBeKept(builtins.read, { file_path: 'a' })).toBeUndefined();
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

  test('a schema that does not list its properties hides no path', async () => {
    for (const inputSchema of [
      { type: 'object' },
      { type: 'object', properties: {}, allOf: [{ $ref: '#/$defs/file' }] },
    ]) {
      const note = toolOf('home', 'note', { inputSchema });
      expect(await decisionsOf({ allow: ['note'] }, note, [{ file: 'a.txt' }, { file: '.git/config' }])).toEqual([
        'allow',
        'ask',
      ]);
    }
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
  test('parentheses in a path pattern are those of the folder', async () => {
    const rules = { allow: ['write(app/(shop)/**)'], deny: ['write(app/(admin)/**)', 'write(**/@(a|b).key)'] };
    const paths = ['app/(shop)/x.ts', 'app/shop/x.ts', 'app/(admin)/x.ts', 'app/admin/x.ts', 'x/b.key'];
    expect(await onPaths(rules, builtins.write, paths)).toEqual(['allow', 'ask', 'deny', 'ask', 'deny']);
  });

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
      '.git./config',
      '.git /config',
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
  test('why shows the rules about a tool in the order of trial, and its default', async () => {
    const permissions = await createPermissions({
      allow: ['re*', 'bash'],
      ask: ['read(docs/**)'],
      deny: ['read(**/.env)'],
    });
    expect(permissions.explain(builtins.read, false)).toEqual({
      rules: [
        { decision: 'deny', text: 'read(**/.env)', place: 'permissions.deny[0]' },
        { decision: 'ask', text: 'read(docs/**)', place: 'permissions.ask[0]' },
        { decision: 'allow', text: 're*', place: 'permissions.allow[0]' },
      ],
      byDefault: 'allowed inside the roots; files that look like secrets ask',
    });
    expect(permissions.explain(builtins.write, false)).toEqual({ rules: [], byDefault: 'asks before each call' });
  });

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
    ['edit(src/[z-a])', /its pattern .*range/i],
    [`edit(${'{a,b}'.repeat(12)})`, /write several rules/],
  ];
  test.each(badPatterns)('%s is refused by name', async (rule, what) => {
    await expect(createPermissions({ allow: [rule] })).rejects.toThrow(what);
    await expect(createPermissions({ allow: [rule] })).rejects.toThrow('permissions.allow[0]');
  });
});
