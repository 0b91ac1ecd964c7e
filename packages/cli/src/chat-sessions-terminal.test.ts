import { afterEach, describe, expect, test } from 'vitest';
import { closeTerminals, hasPty, openTerminal } from './fixtures/open-terminal.ts';
import { createCommandWorld } from './fixtures/run-toolpost.ts';

const PLUGIN = `
  import { defineTool, definePlugin } from '@toolpost/sdk';
  export default definePlugin({ tools: [
    defineTool({ name: 'stamp', description: 'Stamps a letter.', execute: () => 'stamped it' }),
  ] });`;

afterEach(closeTerminals);

/** What stands where something can be typed, and nothing runs. */
const READY = 'ask for something';

describe.skipIf(!hasPty)('the sessions of a chat at a terminal (needs python3 with pty)', () => {
  test('/sessions lists it, /clear and /compact say what they did, and --continue shows what was said', async () => {
    const world = createCommandWorld();
    const chat = openTerminal(PLUGIN, ['chat', '--yes'], { world });
    await chat.see(READY);
    chat.type('use stamp\r');
    await chat.see('▸ stamp ✓ done');
    chat.type('/sessions\r');
    await chat.see('  use stamp');
    await chat.see('toolpost chat --resume ID');
    chat.type('/compact\r');
    await chat.see('The model goes on from a summary');
    chat.type('/clear\r');
    await chat.see('no longer knows what was said');
    await chat.see(READY);
    chat.type('\u0004');
    expect(await chat.closed).toBe(0);

    const again = openTerminal(PLUGIN, ['chat', '--yes', '--continue'], { world });
    await again.see('Toolpost, model demo');
    await again.see('> use stamp');
    await again.see('▸ stamp ✓ done');
    await again.see(READY);
    again.type('\u0004');
    expect(await again.closed).toBe(0);
  });

  test('/new starts another session without leaving, and /resume goes back to the one before', async () => {
    const chat = openTerminal(PLUGIN, ['chat', '--yes'], { cols: 100, rows: 20 });
    await chat.see(READY);
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
    chat.type('\u0004');
    expect(await chat.closed).toBe(0);
  });
});
