import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { answers, createLiveWorld } from './fixtures/live-world.ts';

it('a session that was deleted has ended for hooks, once, and one that goes on has not', async () => {
  await using world = await createLiveWorld();
  const log = join(world.dir, 'ends');
  const source = `import { appendFileSync } from 'node:fs'; import { definePlugin } from '@toolpost/sdk';
    const note = ({ event, reason, session }) => appendFileSync(${JSON.stringify(log)}, [event, reason, session.chatId].join(' ') + '\\n');
    export default definePlugin({ hooks: ['SessionStart', 'SessionEnd'].map((event) => ({ event, handler: note })) });`;
  world.addNative('ends', source, { permissions: ['hooks.subscribe'] });
  const { live, host } = await world.second();
  world.script.push(answers('One.'), answers('Two.'), answers('Three.'));
  const [gone, stays] = [await live.open({ chatId: 'gone' }), await live.open({ chatId: 'stays' })];
  await gone.turn('hello');
  await stays.turn('hello');
  await live.delete(gone.session.id);
  const heard = () => (existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : []);
  expect(heard()).toEqual(['SessionStart new gone', 'SessionStart new stays', 'SessionEnd deleted gone']);
  await live.close();
  await host.close();
  expect(heard().at(-1)).toBe('SessionEnd closed stays');
  const third = await world.second();
  await (await third.live.open({ chatId: 'stays' })).turn('hello');
  expect(heard().at(-1)).toBe('SessionStart resumed stays');
});
