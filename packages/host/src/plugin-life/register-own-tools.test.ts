import { expect, test } from 'vitest';
import { callIn, createHostWorld } from '../fixtures/host-world.ts';

test('what the rules keep from read, a search of the folder around it does not show', async () => {
  const world = createHostWorld();
  world.write('root/open.txt', 'needle\n');
  world.write('root/secret/a.txt', 'needle secret\n');
  world.write('home/config.json', { permissions: { deny: ['read(secret/**)', 'glob(secret/**)'] } });
  const host = await world.open({ yes: true });
  try {
    const session = host.openSession();
    for (const input of [{ pattern: 'needle' }, { pattern: 'needle', path: 'secret/a.txt' }]) {
      const { text } = await callIn(host, session, 'grep', input);
      expect(text).toContain('(1 file left out by the permission rules; to read one, name it to read)');
      expect(text).not.toContain('needle secret');
    }
    expect((await callIn(host, session, 'glob', { pattern: '**' })).text).toMatch(/^open\.txt\n\(1 file left out/);
    expect(await callIn(host, session, 'read', { path: 'secret/a.txt' })).toMatchObject({ outcome: 'denied' });
  } finally {
    await host.close();
  }
});
