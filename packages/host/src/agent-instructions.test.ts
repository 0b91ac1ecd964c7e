import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createAgent } from './agent.ts';
import { createHostWorld } from './fixtures/host-world.ts';
import { chatChunks, startScriptedProvider } from './models/fixtures/scripted-provider.ts';
import { openTrust } from './open-trust.ts';

test("the AGENTS.md of a root is told to sessions that have the root, not to another tenant's", async () => {
  const world = createHostWorld();
  onTestFinished(() => rmSync(world.dir, { recursive: true, force: true }));
  world.write('root/AGENTS.md', 'Say please.');
  mkdirSync(join(world.dir, 'acme'));
  const trust = await openTrust({ TOOLPOST_HOME: world.homeDir });
  const check = trust.check(world.root);
  if (check.status === 'refused' || check.status === 'nothing-to-trust') throw new Error(check.status);
  trust.accept(check.files);
  const answer = { events: chatChunks([{ content: 'Hello.' }]) };
  await using provider = await startScriptedProvider([answer, answer, answer]);
  const host = await world.open();
  const told = async (options: Parameters<typeof host.openSession>[0]) => {
    const agent = await createAgent({
      host,
      session: host.openSession(options),
      model: `openai-compatible:m@${provider.url}`,
    });
    await agent.turn('Hi.', { abortSignal: new AbortController().signal, onEvent: () => undefined });
    return JSON.stringify(provider.requests.at(-1)?.body).includes('Say please.');
  };
  expect(await told({})).toBe(true);
  expect(await told({ tenant: 'acme', roots: [join(world.dir, 'acme')] })).toBe(false);
  expect(await told({ tenant: 'acme', roots: [] })).toBe(false);
  await host.close();
});
