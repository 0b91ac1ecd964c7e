import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { callIn, createHostWorld, type HostWorld } from './fixtures/host-world.ts';

let world: HostWorld;
beforeEach(() => {
  world = createHostWorld();
  world.addNative(
    'mail',
    `import { defineTool } from '@toolpost/sdk';
     export default defineTool({ name: 'send', description: 'Sends.', execute: () => 'sent' });`,
  );
});
afterEach(() => rmSync(world.dir, { recursive: true, force: true }));

async function outcomesOf(count: number, tenant = ''): Promise<string[]> {
  const host = await world.open();
  const session = host.openSession({ tenant });
  const outcomes: string[] = [];
  for (let index = 0; index < count; index++) outcomes.push((await callIn(host, session, 'send')).outcome);
  await host.close();
  return outcomes;
}

describe('a daily quota', () => {
  it('holds over restarts of the host, for each tenant apart', async () => {
    world.write('home/config.json', { limits: { mail: { callsPerDay: 2 } } });
    expect(await outcomesOf(1)).toEqual(['completed']);
    expect(await outcomesOf(2)).toEqual(['completed', 'failed']);
    expect(await outcomesOf(1)).toEqual(['failed']);
    expect(await outcomesOf(3, 'acme')).toEqual(['completed', 'completed', 'failed']);
  });

  it('is counted by each host alone, with a warning, where the database does not work', async () => {
    world.write('home/config.json', { limits: { mail: { callsPerDay: 1 } } });
    mkdirSync(join(world.homeDir, 'sessions.db'));
    expect(await outcomesOf(2)).toEqual(['completed', 'failed']);
    expect(world.warnings.join('\n')).toContain('daily quotas are counted from now on for this process alone');
  });

  it('that nobody has opens no database', async () => {
    world.write('home/config.json', { limits: { mail: { callsPerMinute: 5 } } });
    expect(await outcomesOf(1)).toEqual(['completed']);
    expect(readdirSync(world.homeDir)).not.toContain('sessions.db');
  });
});
