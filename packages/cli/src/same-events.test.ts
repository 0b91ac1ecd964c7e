import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { ToolpostEvent } from '@toolpost/protocol';
import { expect, test } from 'vitest';
import { createCommandWorld, LAUNCHER } from './fixtures/run-toolpost.ts';

test('run --json, the event stream of a server and the stored log of a turn are the same events, to the letter', async () => {
  const world = createCommandWorld();
  const { stdout, status } = await world.run(['run', 'greet Bob', '--json', '--yes']);
  expect(status).toBe(0);
  const printed = stdout.trimEnd().split('\n');
  const { sessionId } = JSON.parse(printed[0] ?? '') as ToolpostEvent;
  expect(printed.length).toBeGreaterThan(4);

  const exported = await world.run(['sessions', 'export', sessionId, '--format', 'json']);
  const { events } = JSON.parse(exported.stdout) as { events: ToolpostEvent[] };
  expect(events.map((event) => JSON.stringify(event))).toEqual(printed);

  const TOOLPOST_TOKEN = 'the-token-of-the-operator';
  const server = spawn(process.execPath, [LAUNCHER, 'serve', '--port', '0', '--no-bundled'], {
    ...{ cwd: world.root, env: { ...world.env, TOOLPOST_TOKEN }, stdio: ['ignore', 'ignore', 'pipe'] },
  });
  try {
    let said = '';
    for await (const piece of server.stderr.setEncoding('utf8')) {
      said += piece;
      if (said.includes('works once')) break;
    }
    const [, url] = /listening on (\S+)/.exec(said) ?? [];
    const headers = { authorization: `Bearer ${TOOLPOST_TOKEN}` };
    const stream = await fetch(`${url}/api/sessions/${sessionId}/events`, { headers });
    const sent: string[] = [];
    let rest = '';
    for await (const piece of stream.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const lines = (rest + piece).split('\n');
      rest = lines.pop() ?? '';
      sent.push(...lines.flatMap((line) => (line.startsWith('data: ') ? [line.slice('data: '.length)] : [])));
      if (sent.length >= printed.length) break;
    }
    expect(sent).toEqual(printed);
  } finally {
    server.kill('SIGTERM');
    await once(server, 'exit');
  }
});
