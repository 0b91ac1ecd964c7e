import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { LAUNCHER } from './fixtures/run-toolpost.ts';

import { createTesterWorld } from './fixtures/tester-plugin.ts';

const world = createTesterWorld();

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
