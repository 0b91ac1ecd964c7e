import { afterEach, describe, expect, test } from 'vitest';
import { leaveChat, openChat, READY } from './fixtures/open-chat.ts';
import { closeTerminals, hasPty } from './fixtures/open-terminal.ts';
import { createCommandWorld } from './fixtures/run-toolpost.ts';

const PLUGIN = `
  import { defineTool, definePlugin } from '@toolpost/sdk';
  export default definePlugin({ tools: [
    defineTool({ name: 'stamp', description: 'Stamps a letter.', execute: () => 'stamped it' }),
  ] });`;

afterEach(closeTerminals);

describe.skipIf(!hasPty)('the sessions of a chat at a terminal (needs python3 with pty)', () => {
  test('/sessions lists it, /clear and /compact say what they did, and --continue shows what was said', async () => {
    const world = createCommandWorld();
    const chat = await openChat(PLUGIN, ['--yes'], { world });
    chat.type('use stamp\r');
    await chat.see('▸ stamp ✓ done');
    chat.type('/sessions\r');
    await chat.see('  use stamp');
    await chat.see('toolpost chat --resume ID');
    chat.type('/compact\r');
    await chat.see('The model goes on from a summary');
    chat.type('/clear\r');
    await chat.see('no longer knows what was said');
    await leaveChat(chat);

    const again = await openChat(PLUGIN, ['--yes', '--continue'], { world });
    await again.see('Toolpost, model demo');
    await again.see('> use stamp');
    await again.see('▸ stamp ✓ done');
    await leaveChat(again);
  });

  test('/new starts another session without leaving, and /resume goes back to the one before', async () => {
    const chat = await openChat(PLUGIN, ['--yes'], { cols: 100, rows: 20 });
    chat.type('use stamp\r');
    await chat.see('▸ stamp ✓ done');
    await chat.see(READY);
    const idOf = () => /[0-9a-f]{8}-[0-9a-f]{4}/.exec(chat.lines().join('\n'))?.[0] ?? '';
    const first = idOf();
    chat.type('/new\r');
    await chat.see('A new session');
    await chat.seeNoMore(first);
    chat.type(`/resume ${first}\r`);
    await chat.seeTimes('> use stamp', 2);
    await chat.seeTimes('▸ stamp ✓ done', 2);
    await chat.see(READY);
    expect(idOf()).toBe(first);
    await leaveChat(chat);
  });
});
