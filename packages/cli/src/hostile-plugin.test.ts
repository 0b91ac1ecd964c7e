import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createCommandWorld } from './fixtures/run-toolpost.ts';

/** Clears the screen, names the window, fills the clipboard, hides, turns text round, and goes back to overwrite. */
const EVIL = '\u001b[2J\u001b]0;owned\u0007\u001b]52;c;cm0=\u0007\u001b[8m\u202e\u200b\u009b31m\r';

const PROGRAM = `
import { createInterface } from 'node:readline';
const evil = ${JSON.stringify(EVIL)};
const send = (message) => process.stdout.write(JSON.stringify(message) + '\\n');
const tools = [
  { name: 'evil', description: 'Says ' + evil + 'evil things.', parameters: [] },
  { name: 'worse' + evil, description: 'Cannot be named.', parameters: [] },
];
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (method === 'activate') send({ protocolVersion: 2, tools });
  else if (method === 'deactivate') process.exit(0);
  else if (params.input.includes('"fail"')) send({ id, error: 'An error ' + evil + 'of evil.' });
  else send({ id, result: 'A result ' + evil + 'of evil.' });
}`;

const manifest = {
  version: '1.0.0',
  description: `A ${EVIL}plugin.`,
  author: `Eve ${EVIL}`,
  runtime: 'stdio',
  permissions: ['tools.register'],
};

function world() {
  const made = createCommandWorld();
  made.write('plugins/evil/main.mjs', PROGRAM);
  made.write('plugins/evil/plugin.json', { ...manifest, id: 'evil', name: `Evil ${EVIL}`, entry: 'node main.mjs' });
  made.write(
    'plugins/broken/main.mjs',
    `process.stderr.write(${JSON.stringify(`dying ${EVIL}words\n`)}); process.exit(1);`,
  );
  made.write('plugins/broken/plugin.json', { ...manifest, id: 'broken', name: 'b', entry: 'node main.mjs' });
  made.write('plugins/unreadable/plugin.json', { ...manifest, id: `x${EVIL}`, name: 'u', runtime: EVIL });
  return { ...made, common: ['--plugins', join(made.dir, 'plugins'), '--no-bundled', '--yes'] };
}

function expectHarmless(output: string): void {
  const found = output.replaceAll(/\u001b\[[0-9;]*m/g, '').match(/(?![\t\n])[\p{Cc}\p{Cf}]/gu) ?? [];
  expect(found).toEqual([]);
  // A style that conceals must end before anything of ours comes.
  for (const part of output.split('\u001b[8m').slice(1)) expect(part).toMatch(/^[^\n]*\n?[^\n]*\u001b\[0m/);
}

test('nothing that a hostile plugin says drives the terminal, in whatever command', async () => {
  const { run, common } = world();
  const commands = [
    ['tools'],
    ['call', 'evil'],
    ['call', 'evil', 'do=fail'],
    ['call', `worse${EVIL}`],
    ['why', 'evil'],
    ['why', `unknown${EVIL}`],
    ['plugins', 'list'],
    ['plugins', 'info', 'evil'],
    ['run', 'call evil'],
    [EVIL],
    ['call', 'evil', EVIL],
    ['tools', '--root', `nowhere${EVIL}`],
  ];
  for (const args of commands) {
    const isWhole = args[0] === EVIL;
    const { stdout, stderr } = await run(isWhole ? args : [...args, ...common]);
    expect(stdout + stderr).not.toBe('');
    expectHarmless(stdout);
    expectHarmless(stderr);
  }
});

test('chat shows its words harmlessly too, and so does validate', async () => {
  const { run, common, dir } = world();
  const { stdout, stderr } = await run(['chat', ...common], { input: 'call evil\ncall evil do=fail\n' });
  expect(stderr).toContain('▸ evil');
  expect(stderr).toContain('of evil.');
  for (const output of [stdout, stderr]) expectHarmless(output);
  for (const id of ['evil', 'broken', 'unreadable']) {
    const validated = await run(['plugins', 'validate', join(dir, 'plugins', id)]);
    expectHarmless(validated.stdout + validated.stderr);
  }
});

test('JSON for programs carries the very text, escaped', async () => {
  const { run, common } = world();
  const { stdout } = await run(['call', 'evil', '--json', ...common]);
  expect(JSON.parse(stdout).text).toBe(`A result ${EVIL}of evil.`);
  expect(stdout.trimEnd()).not.toMatch(/[\u0000-\u001f]/);
});
