import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatDuration } from './duration.ts';
import { HostError } from './error-codes.ts';
import { PERMISSIONS, RUNTIME_NAMES } from './manifest.ts';
import { MANIFEST_JSON_SCHEMA, ManifestError, parseManifest } from './manifest-schema.ts';

const stdio = {
  id: 'greet',
  version: '1.0.0',
  runtime: 'stdio',
  entry: 'python3 main.py',
  permissions: ['tools.register'],
};

function refusal(value: unknown): HostError {
  try {
    parseManifest(value);
  } catch (error) {
    if (error instanceof HostError && error.code === 'MANIFEST_INVALID') return error;
    throw error;
  }
  throw new Error('the manifest was accepted');
}

const warningsOf = (value: unknown) => parseManifest(value).warnings;
const read = (more: object) => parseManifest({ ...stdio, ...more }).manifest;

describe('a valid manifest', () => {
  test('gets every default when it says no more than it must', () => {
    expect(parseManifest({ id: 'a', version: '0.1.0', permissions: ['*'] })).toEqual({
      manifest: {
        id: 'a',
        name: 'a',
        version: '0.1.0',
        description: '',
        runtime: 'native',
        args: [],
        activationEvents: ['onStart'],
        permissions: ['*'],
        dependencies: [],
        env: [],
        failClosed: false,
        timeoutMs: 30_000,
        startTimeoutMs: 30_000,
        contributes: { tools: [], hooks: [] },
      },
      warnings: [],
    });
  });

  test('means the same in snake_case at every level', () => {
    const camel = {
      ...stdio,
      permissions: ['*'],
      activationEvents: ['onTool:greet'],
      entryWindows: 'py main.py',
      maxTimeout: '2m',
      startTimeout: '45s',
      failClosed: true,
      maxLineBytes: 4096,
      contributes: {
        tools: [{ name: 'greet', description: 'd', inputSchema: { type: 'object', properties: { snake_name: {} } } }],
        hooks: [{ event: 'PreToolUse', failClosed: true }],
        contextEnrichers: [{ name: 'e' }],
        crons: [{ message: 'm', everySeconds: 5 }],
        ui: [{ id: 'u', slot: 'footer', refreshInterval: 5 }],
        channelProvider: { name: 'tickets', configSchema: [{ key: 'k', defaultValue: 'v', readOnly: true }] },
      },
    };
    const snake = {
      ...stdio,
      permissions: ['*'],
      activation_events: ['onTool:greet'],
      entry_windows: 'py main.py',
      max_timeout: '2m',
      start_timeout: '45s',
      fail_closed: true,
      max_line_bytes: 4096,
      contributes: {
        tools: [{ name: 'greet', description: 'd', input_schema: { type: 'object', properties: { snake_name: {} } } }],
        hooks: [{ event: 'PreToolUse', fail_closed: true }],
        context_enrichers: [{ name: 'e' }],
        crons: [{ message: 'm', every_seconds: 5 }],
        ui: [{ id: 'u', slot: 'footer', refresh_interval: 5 }],
        channel_provider: { name: 'tickets', config_schema: [{ key: 'k', default_value: 'v', read_only: true }] },
      },
    };
    expect(parseManifest(snake)).toEqual(parseManifest(camel));
    expect(warningsOf(snake)).toEqual(['accepted, and without effect here: contributes.ui, contributes.crons']);
  });

  test('prefers the camelCase key when both spellings are there, and says so', () => {
    const { manifest, warnings } = parseManifest({ ...stdio, start_timeout: '1s', startTimeout: '2s' });
    expect(manifest.startTimeoutMs).toBe(2000);
    expect(warnings).toEqual(['start_timeout: ignored, because startTimeout says the same']);
  });

  test('takes null for "not set", as Go writes an unset list', () => {
    expect(parseManifest({ ...stdio, dependencies: null, timeout: null, contributes: { tools: null } })).toEqual(
      parseManifest(stdio),
    );
  });

  test('reads grpc as another word for stdio', () => {
    expect(read({ runtime: 'grpc' }).runtime).toBe('stdio');
  });

  test.each([
    ['500ms', 500],
    ['1m30s', 90_000],
    ['5m', 300_000],
    ['', 30_000],
    ['0', 30_000],
    ['0s', 30_000],
  ])('reads a timeout of %j as %d ms', (timeout, ms) => {
    expect(read({ timeout }).timeoutMs).toBe(ms);
  });

  test.each(['1.0.0', '0.0.1', '1.2.3-beta.1', '1.2.3-0a.b-c', '1.2.3+build.5', '10.20.30-rc.1+sha.5114f85'])(
    'may have the version %s',
    (version) => {
      expect(read({ version }).version).toBe(version);
    },
  );

  test.each([
    { runtime: 'native' },
    { runtime: 'native', entry: 'src/index.ts' },
    { runtime: 'stdio', executable: 'python3', args: ['main.py', ''] },
    { runtime: 'channel', entry: 'node main.js' },
    { runtime: 'wasm', entry: 'note.wasm' },
    { runtime: 'mcp', executable: 'npx', args: ['server'] },
    { runtime: 'mcp', url: 'https://example.com/mcp', headers: { authorization: 'x' } },
    { runtime: 'script', entry_linux: './run.sh', entry_windows: 'run.cmd' },
  ])('is known for every runtime: %j', (program) => {
    const { manifest, warnings } = parseManifest({ id: 'a', version: '1.0.0', permissions: ['*'], ...program });
    expect(manifest.runtime).toBe(program.runtime);
    expect(warnings).toEqual([]);
  });
});

describe('an invalid manifest', () => {
  test.each([
    ['a missing id', { id: undefined }, /\bid: missing/],
    ['an id that climbs out', { id: '../greet' }, /\bid: found "\.\.\/greet", expected a letter or digit/],
    ['an id of 129 characters', { id: 'a'.repeat(129) }, /\bid: found/],
    ['an id with a line end', { id: 'greet\n' }, /\bid: found "greet\\n"/],
    ["the id of an embedding program's tools", { id: 'App' }, /\bid: "App" names the tools of the program/],
    ['the id of the built-in tools', { id: 'Builtin' }, /\bid: "Builtin" names Toolpost's own tools/],
    ['a version of two numbers', { version: '1.0' }, /version: found "1\.0", expected three numbers/],
    ['a version with a v', { version: 'v1.0.0' }, /version: found "v1\.0\.0"/],
    ['a version with a leading zero', { version: '1.02.0' }, /version: found/],
    ['a missing version', { version: undefined }, /version: missing/],
    ['an unknown permission', { permissions: ['tools.register', 'moon.landing'] }, /permissions\[1\].*"moon\.landing"/],
    ['a nearly right permission', { permissions: ['tool.register'] }, /did you mean "tools\.register"/],
    ['an unknown runtime', { runtime: 'stdoi' }, /runtime: found "stdoi".*did you mean "stdio"/],
    ['a timeout without a unit', { timeout: 30 }, /timeout: found 30, expected .*"30s"/],
    ['a timeout of an unknown unit', { timeout: '10x' }, /timeout: found "10x"/],
    ['a negative timeout', { timeout: '-1s' }, /timeout: found "-1s"/],
    ['a timeout above 5 m', { timeout: '5m1s' }, /timeout: found "5m1s", expected a duration from 0 to 5m/],
    ['a maxTimeout below timeout', { timeout: '1m', maxTimeout: '30s' }, /maxTimeout: 30s is shorter than timeout, 1m/],
    ['a maxTimeout below the default timeout', { maxTimeout: '1s' }, /maxTimeout: 1s is shorter than timeout, 30s/],
    ['no program', { entry: undefined }, /needs entry .* or executable/],
    ['a wasm plugin without its file', { runtime: 'wasm', entry: undefined }, /wasm plugin needs entry/],
    ['an mcp plugin without a server', { runtime: 'mcp', entry: undefined }, /needs either executable .* or url/],
    ['a script without a program', { runtime: 'script', entry: undefined }, /script plugin needs entry/],
    ['a module outside the folder', { runtime: 'native', entry: '../evil.ts' }, /entry: found "\.\.\/evil\.ts"/],
    ['a component outside the folder', { runtime: 'wasm', entry: '/tmp/evil.wasm' }, /entry: found/],
    ['an environment with values', { env: { KEY: 'v' } }, /env: found .*expected a list of variable names/],
    ['an argument that is no text', { args: ['a', 5] }, /args\[1\]: found 5, expected a text/],
    ['a NUL in an argument', { args: ['a\0b'] }, /args\[0\].*NUL/],
    [
      'a hook that can never run',
      { contributes: { hooks: [{ event: 'PreToolUze' }] } },
      /hooks\[0\]\.event: .*"PreToolUse"/,
    ],
    [
      'a tool without a name',
      { contributes: { tools: [{ description: '' }] } },
      /contributes\.tools\[0\]\.name: missing/,
    ],
    [
      'one tool twice',
      {
        contributes: {
          tools: [
            { name: 'a', description: '' },
            { name: 'A', description: '' },
          ],
        },
      },
      /tools\[1\]\.name: "A" is already taken by contributes\.tools\[0\]/,
    ],
    [
      'a channel of Toolpost itself',
      { contributes: { channelProvider: { name: 'web' } } },
      /channelProvider\.name: "web"/,
    ],
    [
      'a channel with a colon',
      { contributes: { channelProvider: { name: 'a:b' } } },
      /channelProvider\.name: found "a:b"/,
    ],
    ['a page part without permission', { contributes: { ui: [{ id: 'u', slot: 'footer' }] } }, /"ui\.contribute"/],
    ['a schedule without a time', { contributes: { crons: [{ message: 'm' }] } }, /crons\[0\]: needs exactly one of/],
    ['an endless line', { maxLineBytes: 1e12 }, /maxLineBytes: found 1000000000000, expected a whole number/],
  ])('is refused for %s', (_, change, message) => {
    expect(refusal({ ...stdio, ...change }).message).toMatch(message);
  });

  test('is refused with every wrong field in one message, and its id', () => {
    const error = refusal({ ...stdio, version: '1', timeout: 5, permissions: ['moon.landing'] });
    expect(error.message).toMatch(/version: .*permissions\[0\]: .*timeout: /);
    expect(error.pluginId).toBe('greet');
  });

  test.each([[null], [[]], ['{}'], [5], [undefined]])('is refused when it is %j', (value) => {
    expect(refusal(value).message).toContain('expected an object');
  });

  test('is refused in a bounded message, however much is wrong', () => {
    const { message } = refusal({ ...stdio, permissions: Array.from({ length: 5000 }, (_, i) => `no.${i}`) });
    expect(message.length).toBeLessThan(6000);
    expect(message).toContain('and 4988 more');
  });
});

describe('a doubtful manifest', () => {
  test('warns of an unknown key and names the one that was meant', () => {
    expect(warningsOf({ ...stdio, time_out: '5s', colour: 'red' })).toEqual([
      'time_out: unknown key, ignored (did you mean "timeout"?)',
      'colour: unknown key, ignored',
    ]);
  });

  test('never passes an unknown key on, whatever it is called', () => {
    const manifest = read(JSON.parse('{"timeoutMs": 1, "__proto__": {"polluted": true}, "constructor": 1}'));
    expect(manifest.timeoutMs).toBe(30_000);
    expect(manifest).not.toHaveProperty('polluted');
    expect(Object.hasOwn(manifest, 'constructor')).toBe(false);
  });

  test('warns that without tools.register no tool is offered', () => {
    const tools = [{ name: 'greet', description: '' }];
    const warning = 'permissions: "tools.register" is missing, so the tools of this plugin are not offered';
    expect(warningsOf({ ...stdio, permissions: ['hooks.subscribe'], contributes: { tools } })).toEqual([warning]);
    expect(warningsOf({ ...stdio, permissions: ['hooks.subscribe'] })).toEqual([]);
  });

  test('warns that without any permission neither tools nor hooks are used, whatever it declares', () => {
    for (const contributes of [{}, { hooks: [{ event: 'PreToolUse' }] }, { tools: [{ name: 'a', description: '' }] }]) {
      const [warning, ...more] = [undefined, [], ['storage.private']].map((permissions) =>
        warningsOf({ ...stdio, permissions, contributes }),
      );
      expect(more).toEqual([warning, warning]);
      expect(warning).toHaveLength(1);
      expect(warning?.[0]).toMatch(
        /"tools.register" is missing for its tools, "hooks.subscribe" is missing for its hooks/,
      );
    }
  });

  test('warns that without hooks.subscribe no hook is called', () => {
    expect(warningsOf({ ...stdio, contributes: { hooks: [{ event: 'PreToolUse' }] } })).toEqual([
      'permissions: "hooks.subscribe" is missing, so the hooks of this plugin are not called and guard nothing',
    ]);
  });

  test('warns of an activation event that nothing fires', () => {
    expect(warningsOf({ ...stdio, activationEvents: ['onstart'] })[0]).toContain('activationEvents[0]: unknown event');
  });

  test('may say where its schema is', () => {
    expect(warningsOf({ ...stdio, $schema: './plugin.schema.json' })).toEqual([]);
  });
});

test('the shipped JSON Schema is that of the manifest', () => {
  const shipped = readFileSync(new URL('../../../docs/plugin.schema.json', import.meta.url), 'utf8');
  expect(JSON.parse(shipped)).toEqual(JSON.parse(JSON.stringify(MANIFEST_JSON_SCHEMA)));
});

test('the reference names every key and every permission', () => {
  const page = readFileSync(new URL('../../../docs/plugin-json.md', import.meta.url), 'utf8');
  const contributions = propertiesOf(propertiesOf(MANIFEST_JSON_SCHEMA).contributes);
  const names = [...Object.keys(propertiesOf(MANIFEST_JSON_SCHEMA)), ...Object.keys(contributions), ...PERMISSIONS];
  expect(names.filter((name) => !page.includes(`\`${name}`))).toEqual([]);
});

describe('whatever is in the file', () => {
  const wild = fc.oneof(
    fc.jsonValue(),
    fc.record(Object.fromEntries(Object.keys(propertiesOf(MANIFEST_JSON_SCHEMA)).map((key) => [key, fc.jsonValue()])), {
      requiredKeys: [],
    }),
  );

  test('it is read or refused as MANIFEST_INVALID, nothing else', () => {
    fc.assert(
      fc.property(wild, (value) => {
        try {
          expect(parseManifest(value).manifest.id).toMatch(/^[a-zA-Z0-9]/);
        } catch (error) {
          if (!(error instanceof HostError) || error.code !== 'MANIFEST_INVALID') throw error;
          expect(error.message.length).toBeGreaterThan('invalid manifest: '.length);
        }
      }),
    );
  });

  test('a valid one comes out as it went in', () => {
    const valid = fc.record({
      id: fc
        .stringMatching(/^[a-zA-Z0-9][a-zA-Z0-9._-]{0,20}$/)
        .filter((id) => !['builtin', 'app'].includes(id.toLowerCase())),
      version: fc.tuple(fc.nat(), fc.nat(), fc.nat()).map((numbers) => numbers.join('.')),
      runtime: fc.constantFrom(...RUNTIME_NAMES),
      entry: fc.constantFrom('main.py', 'lib/main.js'),
      permissions: fc.subarray([...PERMISSIONS]),
      args: fc.array(fc.string().filter((argument) => !argument.includes('\0'))),
      env: fc.array(fc.stringMatching(/^[A-Z_]{1,9}$/)),
      timeoutMs: fc.integer({ min: 1, max: 300_000 }),
      failClosed: fc.boolean(),
    });
    fc.assert(
      fc.property(valid, ({ timeoutMs, ...given }) => {
        const { manifest } = parseManifest({ ...given, timeout: formatDuration(timeoutMs) });
        expect(manifest).toMatchObject({ ...given, timeoutMs });
      }),
    );
  });
});

function propertiesOf(schema: unknown): Record<string, unknown> {
  return (schema as { properties: Record<string, unknown> }).properties;
}

describe('a refusal', () => {
  const refusalOf = (manifest: object): ManifestError => {
    try {
      parseManifest(manifest);
    } catch (error) {
      if (error instanceof ManifestError) return error;
      throw error;
    }
    throw new Error('it was accepted');
  };

  test('tells of unknown keys and the near names too, each as one problem', () => {
    const { problems, message } = refusalOf({ id: 'a', verison: '1.0.0', runtime: 'stdio', executible: 'node' });
    expect(problems).toEqual([
      'version: missing; it is needed: the version of the plugin, like "1.0.0"',
      'verison: unknown key, ignored (did you mean "version"?)',
      'executible: unknown key, ignored (did you mean "executable"?)',
    ]);
    expect(message).toBe(`invalid manifest: ${problems.join('; ')}`);
  });

  test('is bounded however many problems there are', () => {
    const unknown = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`k${index}`, 1]));
    const { problems } = refusalOf(unknown);
    expect(problems).toHaveLength(13);
    expect(problems.at(-1)).toMatch(/^and \d+ more$/);
  });

  test('of a program without a runtime, or with the wrong one, names the right one', () => {
    const program = { id: 'a', version: '1.0.0', executable: 'node', args: ['main.js'] };
    expect(refusalOf(program).message).toMatch(/runtime: missing.*did you mean "runtime": "stdio"\?/);
    expect(refusalOf({ ...program, runtime: 'native' }).message).toMatch(/executable: .*"runtime": "stdio"/);
  });
});
