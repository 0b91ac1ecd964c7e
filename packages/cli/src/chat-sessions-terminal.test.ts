import { afterEach, describe, expect, test } from 'vitest';
import { closeTerminals, hasPty, openTerminal } from './fixtures/open-terminal.ts';
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
    const chat = openTerminal(PLUGIN, ['chat', '--yes'], { world });
    await chat.waitFor('> ');
    chat.type('use stamp\r');
    await chat.waitFor('stamp completed');
    await chat.waitFor('> ');
    chat.type('/sessions\r');
    await chat.waitFor('  use stamp');
    await chat.waitFor('toolpost chat --resume ID');
    await chat.waitFor('> ');
    chat.type('/compact\r');
    await chat.waitFor('The model goes on from a summary');
    await chat.waitFor('> ');
    chat.type('/clear\r');
    await chat.waitFor('no longer knows what was said');
    await chat.waitFor('> ');
    chat.type('\u0004');
    expect(await chat.closed).toBe(0);

    const again = openTerminal(PLUGIN, ['chat', '--yes', '--continue'], { world });
    await again.waitFor('> use stamp');
    await again.waitFor('stamp completed');
    await again.waitFor('Toolpost, model demo');
    await again.waitFor('> ');
    again.type('\u0004');
    expect(await again.closed).toBe(0);
  });
});
