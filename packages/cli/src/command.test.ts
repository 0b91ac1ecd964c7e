import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { type CommandWorld, createCommandWorld, LAUNCHER } from './fixtures/run-toolpost.ts';

const NATIVE = `
  import { appendFileSync } from 'node:fs';
  import { defineTool, definePlugin, newToolError } from '@toolpost/sdk';
  const tool = (name, execute, properties = {}) =>
    defineTool({ name, description: 'The tool ' + name + '.', inputSchema: { type: 'object', properties }, execute });
  console.log('noise of a plugin');
  export default definePlugin({ tools: [
    tool('echo', (input) => JSON.stringify(input), { count: { type: 'integer' }, tags: { type: 'array', items: { type: 'string' } } }),
    tool('fail', () => newToolError('the printer is on fire')),
    tool('wait', (_, { output }) => { output('waiting'); return new Promise(() => {}); }),
    tool('flood', (_, { output }) => { for (let n = 0; n < 20000; n++) output('line ' + n + '\\n'); return new Promise(() => {}); }),
    tool('large', () => 'x'.repeat(90000)),
    tool('late', () => { setTimeout(() => { throw new Error('a late bug'); }, 10); return new Promise((resolve) => setTimeout(resolve, 60, 'ok')); }),
    tool('forget', () => { Promise.reject(new Error('a forgotten bug')); return new Promise((resolve) => setTimeout(resolve, 60, 'ok')); }),
    tool('stubborn', (_, { abortSignal }) => { abortSignal.addEventListener('abort', () => { throw new Error('a bug at the end'); }); return new Promise(() => {}); }),
    tool('quit', () => process.exit(0)),
    tool('bug', () => { const nothing = undefined; return nothing.name; }),
    tool('print', () => { console.log('printed by a tool'); return 'ok'; }),
  ] });`;

let world: CommandWorld;

beforeAll(() => {
  world = createCommandWorld();
  addNative(world, 'tester', NATIVE);
});

function addNative({ write, dir }: CommandWorld, id: string, source: string): void {
  const manifest = {
    id,
    name: id,
    version: '1.0.0',
    description: 'd',
    runtime: 'native',
    entry: 'index.mjs',
    permissions: ['tools.register'],
  };
  write(`plugins/${id}/index.mjs`, source);
  write(`plugins/${id}/plugin.json`, manifest);
  expect(existsSync(join(dir, 'plugins', id))).toBe(true);
}

const common = () => ['--plugins', join(world.dir, 'plugins'), '--no-bundled'];

function callRecordIn(stdout: string): { outcome: string; text: string; [key: string]: unknown } {
  expect(stdout.trimEnd()).not.toContain('\n');
  return JSON.parse(stdout);
}

describe('call', () => {
  test('--json prints one record on stdout and nothing else, whatever plugins print', async () => {
    const { status, stdout, stderr } = await world.run(['call', 'print', '--json', ...common()]);
    expect(status).toBe(0);
    expect(callRecordIn(stdout)).toMatchObject({ name: 'print', plugin: 'tester', outcome: 'completed', text: 'ok' });
    expect(stderr).toContain('printed by a tool');
  });

  test('key=value words are arguments: the first = counts, a key twice is a list, the schema converts', async () => {
    const { stdout } = await world.run(['call', 'echo', 'count=5', 'tags=a', 'tags=b=c', 'text=', ...common()]);
    expect(JSON.parse(stdout)).toEqual({ count: 5, tags: ['a', 'b=c'], text: '' });
  });

  test('a key that comes once is a list of one where the tool takes a list', async () => {
    expect(JSON.parse((await world.run(['call', 'echo', 'tags=a', ...common()])).stdout)).toEqual({ tags: ['a'] });
    const typed = await world.run(['call', 'echo', '--input', '{"tags":"a"}', ...common()]);
    expect([typed.status, typed.stderr]).toEqual([1, expect.stringContaining('tags: expected array, got "a"')]);
  });

  test('a key that the tool does not know is told with near ones, and stdout is the result alone', async () => {
    const { status, stdout, stderr } = await world.run(['call', 'echo', 'tgas=a', ...common()]);
    expect([status, JSON.parse(stdout)]).toEqual([0, { tgas: 'a' }]);
    expect(stderr).toContain('toolpost: warning: echo has no argument "tgas": did you mean tags?\n');
  });

  test('a broken loose file crashes with the reason, told once, and a call of another tool warns of it', async () => {
    const { write, dir, run } = createCommandWorld();
    write('plugins/tools/z.ts', 'export const = 3;');
    const args = ['--plugins', join(dir, 'plugins'), '--no-bundled'];
    const { status, stdout, stderr } = await run(['call', 'z', '--json', ...args]);
    expect([status, callRecordIn(stdout)]).toEqual([1, expect.objectContaining({ outcome: 'crashed', plugin: 'z' })]);
    expect(stderr).toBe('');
    expect((await run(['call', 'z', ...args])).stderr.match(/cannot be loaded/g)).toHaveLength(1);
    const other = await run(['call', 'zz', ...args]);
    expect(other.stderr).toMatch(
      /^toolpost: warning: plugin z does not work: .*z\.ts:1 cannot be loaded.*plugins list/,
    );
    const list = await run(['plugins', 'list', ...args]);
    expect([list.status, list.stderr]).toEqual([0, '']);
    expect(list.stdout).toMatch(/^✗ z {2}native, error {2}\S+z\.ts\n {4}z: .*cannot be loaded/);
  });

  test('--input - reads standard input, and nothing there is no arguments', async () => {
    const given = await world.run(['call', 'echo', '--input', '-', ...common()], { input: '{"text":"é😀"}' });
    expect(JSON.parse(given.stdout)).toEqual({ text: 'é😀' });
    expect(JSON.parse((await world.run(['call', 'echo', '--input', '-', ...common()])).stdout)).toEqual({});
  });

  test('exits with 1 and says on stderr what went wrong', async () => {
    const { status, stdout, stderr } = await world.run(['call', 'fail', ...common()]);
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toContain('toolpost: fail failed: the printer is on fire');
    expect((await world.run(['call', 'ecko', '--json', ...common()])).status).toBe(1);
  });

  test('what a tool throws is told with its place, and its stack is in the log of the plugin', async () => {
    const { stdout, stderr } = await world.run(['call', 'bug', ...common()]);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/toolpost: bug failed: .*undefined.*\n {2}thrown at .*tester\/index\.mjs:\d+\n$/);
    const log = readFileSync(join(world.dir, 'home/logs/tester.log'), 'utf8');
    expect(log).toMatch(/ error bug threw TypeError: .*\n +at .*tester\/index\.mjs:/);
    expect(log).not.toContain('packages/cli/dist');
  });

  test('a failed call of a process names its log when it wrote to it, and only then', async () => {
    const { write, dir, run } = createCommandWorld();
    write(
      'plugins/tools/moody.py',
      `
import sys, toolpost

@toolpost.tool
def moody(loud: bool) -> str:
    if loud: print("a hint", file=sys.stderr)
    return toolpost.ToolResult("no", is_error=True)

toolpost.serve()
`,
    );
    const args = ['--plugins', join(dir, 'plugins'), '--no-bundled'];
    const quiet = await run(['call', 'moody', 'loud=false', ...args]);
    expect([quiet.status, quiet.stderr]).toEqual([1, 'toolpost: moody failed: no\n']);
    expect((await run(['call', 'moody', 'loud=true', ...args])).stderr).toBe(
      `toolpost: moody failed: no\n  its log: ${join(dir, 'home/logs/moody.log')}\n`,
    );
  });

  test('a name that is not there is told with the way to what is, for a person', async () => {
    const { stderr } = await world.run(['call', 'shout', ...common()]);
    expect(stderr).toMatch(
      /toolpost: shout not-found: there is no tool named "shout" in this session\.\n {2}`toolpost tools` .* --plugins DIR\n$/,
    );
    expect((await world.run(['call', 'ehco', ...common()])).stderr).toContain('Did you mean echo');
  });

  test('a large text is whole, also through a pipe', async () => {
    expect((await world.run(['call', 'large', ...common()])).stdout).toBe(`${'x'.repeat(90_000)}\n`);
  });

  test('SIGINT cancels it: the record says so, and the last event carries it', async () => {
    let isSent = false;
    const interrupt = (child: { kill(signal: NodeJS.Signals): boolean }, stdout: string) => {
      if (!isSent && stdout.includes('"waiting"')) isSent = child.kill('SIGINT');
    };
    const { status, stdout } = await world.run(['call', 'wait', '--events', ...common()], { onOutput: interrupt });
    const events = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(status).toBe(1);
    expect(events.at(-1)).toMatchObject({
      type: 'tool-call-end',
      outcome: 'cancelled',
      result: { outcome: 'cancelled' },
    });
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
  });

  const uncaught: [tool: string, outcome: string, told: string][] = [
    ['late', 'completed', 'a late bug'],
    ['forget', 'completed', 'a forgotten bug'],
    ['stubborn', 'timed-out', 'a bug at the end'],
  ];
  test.each(uncaught)(
    'an error that %s throws where nobody catches it is told, and the call ends',
    async (tool, outcome, told) => {
      const { status, stdout, stderr } = await world.run(['call', tool, '--json', '--timeout', '2s', ...common()]);
      expect(callRecordIn(stdout).outcome).toBe(outcome);
      expect(status).toBe(outcome === 'completed' ? 0 : 1);
      expect(stderr).toMatch(new RegExp(`toolpost: warning: .*plugin.*\\n.*${told}\\n +at .*tester/index\\.mjs:`));
      expect(stderr).not.toContain('packages/cli/dist');
    },
  );

  test.each([
    ['call', 'quit'],
    ['run', 'call quit', '--yes'],
    ['chat', '-p', 'call quit', '--yes'],
  ])('a tool that ends the process is named, and the status is 1: %s %s', async (...args) => {
    const { status, stderr } = await world.run([...args, ...common()]);
    expect(status).toBe(1);
    expect(stderr).toContain('a native plugin ended the process while quit of plugin tester ran');
  });

  test('a reader that goes away ends it in order', async () => {
    const command = `"$1" "$2" call flood --events --plugins "$3" --no-bundled | head -1`;
    const args = ['-c', command, 'sh', process.execPath, LAUNCHER, join(world.dir, 'plugins')];
    const child = spawn('sh', args, { env: world.env, cwd: world.root, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (piece) => (output += piece));
    await new Promise((resolve) => child.once('close', resolve));
    expect(
      output
        .trimEnd()
        .split('\n')
        .filter((line) => !line.includes('noise of a plugin')),
    ).toHaveLength(1);
    expect(JSON.parse(output.split('\n').find((line) => line.startsWith('{')) ?? '')).toMatchObject({ seq: 1 });
  });
});

test.skipIf(!existsSync('/dev/full'))('output that cannot be written is an error (needs /dev/full)', async () => {
  const command = '"$1" "$2" tools --json --no-bundled > /dev/full';
  const child = spawn('sh', ['-c', command, 'sh', process.execPath, LAUNCHER], { env: world.env, cwd: world.root });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (piece: string) => (stderr += piece));
  const status = await new Promise((resolve) => child.once('close', resolve));
  expect([status, stderr]).toEqual([1, expect.stringMatching(/^toolpost: the output cannot be written: .*ENOSPC/)]);
});

describe('wrong usage exits with 2, prints nothing to stdout and names it in one line', () => {
  const wrong: [args: string[], named: RegExp[]][] = [
    [['frobnicate'], [/frobnicate/, /--help/]],
    [['tols'], [/tols/, /Did you mean.*tools/]],
    [
      ['tools', '--frobnicate'],
      [/--frobnicate/, /toolpost tools --help/],
    ],
    [['call'], [/name/, /toolpost call --help/]],
    [['call', 'echo', 'count'], [/"count" is not key=value/]],
    [
      ['call', 'echo', 'a=1', '--input', '{}'],
      [/--input/, /key=value/],
    ],
    [
      ['call', 'echo', '--json', '--events'],
      [/--json/, /--events/],
    ],
    [
      ['call', 'echo', '--timeout', '10x'],
      [/10x/, /500ms/],
    ],
    [['call', 'echo', '--timeout', '0s'], [/0s/]],
    [
      ['tools', '--root', 'nowhere'],
      [/nowhere/, /--root/],
    ],
    [['tools', '--config', 'nowhere.json'], [/nowhere\.json/]],
    [['tools', '--plugins', 'nowhere'], [/nowhere/]],
    [
      ['tools', '--allow', 'bash('],
      [/bash\(/, /--allow/],
    ],
    [['plugins', 'frobnicate'], [/frobnicate/]],
    [['plugins', 'info', './nowhere'], [/nowhere/]],
    [['plugins', 'info', 'no-such-plugin'], [/no-such-plugin/]],
    [['trust', 'nowhere'], [/nowhere/]],
    [['run', 'x', '--model', 'opnai:gpt'], [/opnai/]],
  ];
  test.each(wrong)('%j', async (args, named) => {
    const { status, stdout, stderr } = await world.run(args);
    expect([status, stdout]).toEqual([2, '']);
    for (const one of named) expect(stderr).toMatch(one);
    const lines = stderr
      .trimEnd()
      .split('\n')
      .filter((line) => !line.includes('warning'));
    expect(lines).toHaveLength(1);
  });

  test('a home that cannot be used, a config that is not JSON or has a bad value', async () => {
    const home = await world.run(['tools'], { env: { TOOLPOST_HOME: '/dev/null/home' } });
    expect([home.status, home.stdout]).toEqual([2, '']);
    expect(home.stderr).toMatch(/\/dev\/null\/home.*TOOLPOST_HOME/);
    const broken = world.write('broken.json', '{ "model": ');
    expect((await world.run(['tools', '--config', broken])).stderr).toContain('broken.json');
    const bad = world.write('bad.json', { plugins: { disabled: 5 } });
    const { status, stderr } = await world.run(['tools', '--config', bad]);
    expect([status, stderr]).toEqual([2, expect.stringMatching(/bad\.json.*plugins\.disabled/)]);
  });
});

describe('help', () => {
  const plugins = ['plugins list', 'plugins info', 'plugins validate'];
  const commands = ['chat', 'run', 'tools', 'call', 'why', 'trust', ...plugins, 'approvals list', 'approvals forget'];
  test.each(commands)('of %s shows an example and exits with 0', async (name) => {
    const { status, stdout, stderr } = await world.run([...name.split(' '), '--help']);
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(new RegExp(`Examples?:\\n  toolpost ${name}`));
  });

  test('approvals without a subcommand lists', async () => {
    const { status, stdout } = await world.run(['approvals']);
    expect([status, stdout]).toEqual([0, 'No answer "always" is kept.\n']);
  });

  test('of the command names each command, and --version the version', async () => {
    const { stdout } = await world.run(['--help']);
    for (const name of ['chat', 'run', 'tools', 'call', 'why', 'plugins', 'trust', 'approvals'])
      expect(stdout).toContain(name);
    const { version } = JSON.parse(readFileSync(join(LAUNCHER, '../../package.json'), 'utf8'));
    expect((await world.run(['--version'])).stdout).toBe(`${version}\n`);
  });
});

describe('tools, why, plugins', () => {
  test('tools --json is one object, the same bytes twice; warnings are on stderr', async () => {
    const config = world.write('odd.json', { colourScheme: 'red' });
    const args = ['tools', '--json', ...common(), '--config', config];
    const [first, second] = [await world.run(args), await world.run(args)];
    expect(second.stdout).toBe(first.stdout);
    const { tools } = JSON.parse(first.stdout);
    expect(tools.map(({ name }: { name: string }) => name)).toContain('echo');
    expect(first.stderr).toMatch(/toolpost: warning: .*colourScheme/);
  });

  test('why tells of a visible tool and its permission, and names near ones of an unknown name', async () => {
    const known = await world.run(['why', 'echo', ...common()]);
    expect(known.status).toBe(0);
    expect(known.stdout).toMatch(
      /^echo: a tool of the plugin tester \(given with --plugins, native\)\n {2}this session sees it\n/,
    );
    const unknown = await world.run(['why', 'ehco', ...common()]);
    expect(unknown.status).toBe(1);
    expect(unknown.stdout).toMatch(/"ehco"[\s\S]*echo/);
    expect(JSON.parse((await world.run(['why', 'echo', '--json', ...common()])).stdout)).toMatchObject({
      visible: true,
    });
  });

  test('why says once and in words where a tool comes from and what hides it', async () => {
    const builtin = await world.run(['why', 'read', ...common()]);
    expect(builtin.stdout).toMatch(/^read: a built-in tool\n {2}this session sees it\nA call of it is decided by:\n/);
    const shadowing = createCommandWorld();
    addNative(shadowing, 'mine', NATIVE.replace("'echo'", "'read'"));
    const args = ['--plugins', join(shadowing.dir, 'plugins'), '--no-bundled'];
    expect((await shadowing.run(['why', 'read', ...args])).stdout).toMatch(
      /^read: a tool of the plugin mine \(given with --plugins, native\)\n {2}this session sees it, and it comes before the others of this name\nread: a built-in tool\n {2}hidden: the one of the plugin mine comes first\n/,
    );
    const config = world.write('disabled.json', { plugins: { disabled: ['tester'] } });
    expect((await world.run(['why', 'echo', ...common(), '--config', config])).stdout).toBe(
      'echo: a tool of the plugin tester (given with --plugins, native)\n  hidden: plugin tester is disabled\n',
    );
  });

  test('the hooks of plugins are seen: in why of a tool that they hear of, in plugins list and info', async () => {
    const { write, dir, run } = createCommandWorld();
    write(
      'plugins/gate/index.mjs',
      `
      import { definePlugin } from '@toolpost/sdk';
      export default definePlugin({ hooks: [{ event: 'PreToolUse', matcher: 're*', failClosed: true, handler: () => undefined }] });`,
    );
    write('plugins/gate/plugin.json', {
      id: 'gate',
      version: '1.0.0',
      runtime: 'native',
      entry: 'index.mjs',
      permissions: ['hooks.subscribe'],
    });
    const args = ['--plugins', join(dir, 'plugins'), '--no-bundled'];
    const words = 'PreToolUse of re* (denies when it fails)';
    expect((await run(['why', 'read', ...args])).stdout).toContain(
      `Hooks that hear of its calls:\n  ${words}, by the plugin gate\n`,
    );
    expect((await run(['why', 'bash', ...args])).stdout).not.toContain('Hooks');
    expect((await run(['plugins', 'list', ...args])).stdout).toContain(`\n    hook: ${words}\n`);
    expect((await run(['plugins', 'info', 'gate', ...args])).stdout).toContain(`\nhooks        ${words}\n`);
    expect(JSON.parse((await run(['plugins', 'list', '--json', ...args])).stdout).plugins[0].hooks).toEqual([
      { plugin: 'gate', event: 'PreToolUse', matcher: 're*', failClosed: true },
    ]);
  });

  test('several problems of a manifest stand on a line each, in validate and info', async () => {
    world.write('worse/plugin.json', { id: 'worse', verison: '1.0.0', runtime: 'stdio' });
    const validated = await world.run(['plugins', 'validate', join(world.dir, 'worse')]);
    expect([validated.status, validated.stdout]).toEqual([1, '']);
    expect(validated.stderr).toMatch(/worse is not valid:\n {2}version: missing.*\n {2}verison: unknown key/);
    const { stdout } = await world.run(['plugins', 'info', join(world.dir, 'worse')]);
    expect(stdout).toMatch(/state +error: its plugin.json is not valid\n +version: missing.*\n +verison: unknown key/);
  });

  test('plugins validate has a line for each plugin of a folder, and fails when one is not valid', async () => {
    world.write('several/fine/plugin.json', { id: 'fine', version: '1.0.0', permissions: ['*'] });
    world.write('several/fine/index.js', '');
    world.write('several/poor/plugin.json', { id: 'poor', version: '1.0.0', runtime: 'wasm', entry: 'gone.wasm' });
    const { status, stdout, stderr } = await world.run(['plugins', 'validate', join(world.dir, 'several')]);
    expect([status, stdout]).toEqual([1, 'fine 1.0.0 (native) is valid\n']);
    expect(stderr).toMatch(/poor is not valid: .*gone\.wasm does not exist/);
  });

  test('plugins validate names the field without running anything', async () => {
    world.write('bad-plugin/plugin.json', { id: 'bad-plugin', name: 'b', version: 'one', runtime: 'native' });
    const { status, stdout, stderr } = await world.run(['plugins', 'validate', join(world.dir, 'bad-plugin')]);
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toContain('version');
    expect((await world.run(['plugins', 'validate', join(world.dir, 'plugins/tester')])).stdout).toMatch(
      /tester 1\.0\.0.*valid/,
    );
  });
});

describe('a signal while plugins start', () => {
  const hanging = `
    import { spawn } from 'node:child_process';
    import { writeFileSync } from 'node:fs';
    const child = spawn('sleep', ['300'], { stdio: 'ignore' });
    writeFileSync(process.argv[2], process.pid + ' ' + child.pid);
    process.on('SIGTERM', () => {});
    setInterval(() => {}, 1000);`;

  test.each(['tools', 'why evil', 'plugins list'])('ends %s at once, and nothing of them goes on', async (command) => {
    const { write, dir, env, root } = createCommandWorld();
    const pids = join(dir, 'pids');
    write('plugins/hanging/main.mjs', hanging);
    const entry = `node main.mjs ${pids}`;
    write('plugins/hanging/plugin.json', {
      id: 'hanging',
      name: 'h',
      version: '1.0.0',
      runtime: 'stdio',
      entry,
      permissions: ['tools.register'],
    });
    const args = [LAUNCHER, ...command.split(' '), '--plugins', join(dir, 'plugins'), '--no-bundled'];
    const child = spawn(process.execPath, args, { env, cwd: root, stdio: 'ignore' });
    const closed = new Promise((resolve) => child.once('close', (status) => resolve(status)));
    await appearing(pids);
    child.kill('SIGINT');
    expect(await closed).toBe(130);
    for (const pid of readFileSync(pids, 'utf8').split(' ').map(Number)) await gone(pid);
  });
});

/** Resolves once the file is there and has something in it. */
async function appearing(file: string): Promise<void> {
  await until(() => existsSync(file) && readFileSync(file, 'utf8').includes(' '));
}

async function gone(pid: number): Promise<void> {
  await until(() => {
    try {
      process.kill(pid, 0);
      return /^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
    } catch {
      return true;
    }
  });
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 10));
}

describe('run and chat', () => {
  test('run prints the answer on stdout, what happens beside it on stderr', async () => {
    const { status, stdout, stderr } = await world.run(['run', 'call echo with count 3', '--yes', ...common()]);
    expect(status).toBe(0);
    expect(stderr).toMatch(/▸ echo/);
    expect(stdout).not.toContain('▸');
    expect(stdout.trim()).not.toBe('');
  });

  test('run --json prints events only, numbered, from turn-start to turn-end', async () => {
    const { stdout } = await world.run(['run', 'Say hello.', '--json', ...common()]);
    const events = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(events[0].type).toBe('turn-start');
    expect(events.at(-1)).toMatchObject({ type: 'turn-end', reason: 'completed' });
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
  });

  test('chat without a terminal reads one prompt a line, also a last one without its end, and skips empty ones', async () => {
    const input = 'call echo with count 1\n\n  \ncall fail';
    const { status, stderr } = await world.run(['chat', '--yes', ...common()], { input });
    expect(stderr.match(/▸ (echo|fail)/g)).toEqual(['▸ echo', '▸ fail']);
    expect(stderr).toContain('the printer is on fire');
    expect(status).toBe(0);
  });

  test('SIGTERM ends a chat in the middle of a turn, and reads no further line', async () => {
    const input = 'call wait\ncall echo with count 1\n';
    const stop = spawnChat(input, 'SIGTERM');
    const { stderr } = await stop;
    expect(stderr).toContain('▸ wait');
    expect(stderr).not.toContain('▸ echo');
  });
});

/** A chat without a terminal that gets a signal once its first call runs. */
function spawnChat(input: string, signal: NodeJS.Signals): Promise<{ stderr: string }> {
  const child = spawn(process.execPath, [LAUNCHER, 'chat', '--yes', ...common()], { env: world.env, cwd: world.root });
  let stderr = '';
  let isSent = false;
  child.stderr.setEncoding('utf8').on('data', (piece: string) => {
    stderr += piece;
    if (!isSent && stderr.includes('▸ wait')) isSent = child.kill(signal);
  });
  child.stdin.write(input);
  return new Promise((resolve) => child.once('close', () => resolve({ stderr })));
}
