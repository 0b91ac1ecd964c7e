import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createCommandWorld, LAUNCHER } from './fixtures/run-toolpost.ts';

import { createTesterWorld, pluginsOf } from './fixtures/tester-plugin.ts';

const world = createTesterWorld();

const common = () => pluginsOf(world);

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
