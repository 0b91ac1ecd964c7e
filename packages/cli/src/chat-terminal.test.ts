import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { closeTerminals, hasPty, openTerminal } from './fixtures/open-terminal.ts';

const PLUGIN = `
  import { writeFileSync } from 'node:fs';
  import { defineTool, definePlugin } from '@toolpost/sdk';
  export default definePlugin({ tools: [
    defineTool({ name: 'stamp', description: 'Stamps a letter.', execute: (_, { roots }) => (writeFileSync(roots[0] + '/stamped', ''), 'stamped it') }),
    defineTool({ name: 'survey', description: 'Surveys a person.', async execute(_, { ask }) {
      const answer = await ask({ message: 'Who\\u202e is it?', schema: {
        type: 'object',
        properties: { nick: { type: 'string', description: 'your name' }, age: { type: 'integer', minimum: 1 }, colour: { enum: ['red', 'blue'], default: 'red' }, sure: { type: 'boolean' }, note: { type: 'string' } },
        required: ['nick', 'sure'],
      } });
      return 'it said ' + JSON.stringify(answer);
    } }),
    defineTool({ name: 'stream', description: 'Streams lines.', async execute(_, { output, progress }) {
      output('first li'); output('ne\\n'); output('warned\\n', 'stderr');
      progress({ progress: 1, total: 2, message: 'half' });
      return 'streamed';
    } }),
    defineTool({ name: 'linger', description: 'Lingers for ever.', execute: () => new Promise(() => {}) }),
  ] });`;

afterEach(closeTerminals);

function openChat(...args: string[]) {
  return openTerminal(PLUGIN, ['chat', ...args]);
}

describe.skipIf(!hasPty)('chat at a terminal (needs python3 with pty)', () => {
  test('asks before a call, and y, s and a reason each do what they say', async () => {
    const chat = openChat();
    await chat.waitFor('> ');
    chat.type('use stamp\r');
    await chat.waitFor('Allow stamp of plugin p?');
    await chat.waitFor('without arguments');
    expect(existsSync(join(chat.root, 'stamped'))).toBe(false);
    await chat.waitFor('say why not: ');
    chat.type('wrong letter\r');
    await chat.waitFor('stamp denied');
    await chat.waitFor('wrong letter');
    await chat.waitFor('> ');
    expect(existsSync(join(chat.root, 'stamped'))).toBe(false);

    chat.type('use stamp\r');
    await chat.waitFor('say why not: ');
    chat.type('y\r');
    await chat.waitFor('stamp completed');
    expect(existsSync(join(chat.root, 'stamped'))).toBe(true);
    await chat.waitFor('> ');

    chat.type('use stamp\r');
    await chat.waitFor('say why not: ');
    chat.type('s\r');
    await chat.waitFor('stamp completed');
    await chat.waitFor('> ');
    chat.type('use stamp\r');
    await chat.waitFor('stamp completed');
    expect(chat.screen().match(/Allow stamp/g)).toHaveLength(3);
    await chat.waitFor('> ');
    chat.type('\u0004');
    expect(await chat.closed).toBe(0);
  });

  test('Ctrl-C cancels the turn only; at the prompt two of them end the chat', async () => {
    const chat = openChat('--yes');
    await chat.waitFor('> ');
    chat.type('use linger\r');
    await chat.waitFor('▸ linger');
    chat.type('\u0003');
    await chat.waitFor('linger cancelled');
    await chat.waitFor('> ');
    chat.type('use stamp\r');
    await chat.waitFor('stamp completed');
    await chat.waitFor('> ');
    chat.type('\u0003');
    await chat.waitFor('press Ctrl-C again');
    await chat.waitFor('> ');
    chat.type('\u0003');
    expect(await chat.closed).toBe(0);
  });

  test('Ctrl-C at a question is a no to the call, and cancels the turn', async () => {
    const chat = openChat();
    await chat.waitFor('> ');
    chat.type('use stamp\r');
    await chat.waitFor('say why not: ');
    chat.type('\u0003');
    await chat.waitFor('stamp cancelled');
    await chat.waitFor('> ');
    expect(existsSync(join(chat.root, 'stamped'))).toBe(false);
    chat.type('\u0004');
    expect(await chat.closed).toBe(0);
  });

  test('the end of the input at a question is a no', async () => {
    const chat = openChat();
    await chat.waitFor('> ');
    chat.type('use stamp\r');
    await chat.waitFor('say why not: ');
    chat.type('\u0004');
    expect(await chat.closed).toBe(0);
    expect(existsSync(join(chat.root, 'stamped'))).toBe(false);
  });

  test('a tool asks field by field: wrong answers are asked again, defaults and nothing are taken', async () => {
    const chat = openChat('--yes');
    await chat.waitFor('> ');
    chat.type('use survey\r');
    await chat.waitFor('The tool asks: Who\\u202e is it?');
    await chat.waitFor('nick (your name): ');
    chat.type('\r');
    await chat.waitFor('it is required');
    await chat.waitFor('nick (your name): ');
    chat.type('Ann\r');
    await chat.waitFor('age (a whole number; optional): ');
    chat.type('0\r');
    await chat.waitFor('it is less than 1');
    await chat.waitFor('age');
    chat.type('7\r');
    await chat.waitFor('colour (one of red, blue) [red]: ');
    chat.type('\r');
    await chat.waitFor('sure (y or n): ');
    chat.type('y\r');
    await chat.waitFor('note (optional): ');
    chat.type('\r');
    await chat.waitFor('it said {"action":"accept","content":{"nick":"Ann","age":7,"colour":"red","sure":true}}');
    await chat.waitFor('> ');
    chat.type('\u0004');
    expect(await chat.closed).toBe(0);
  });

  test('a form can be declined, and its end by the input or by Ctrl-C is a cancel', async () => {
    const chat = openChat('--yes');
    await chat.waitFor('> ');
    chat.type('use survey\r');
    await chat.waitFor('nick (your name): ');
    chat.type('/no\r');
    await chat.waitFor('it said {"action":"decline"}');
    await chat.waitFor('> ');
    chat.type('use survey\r');
    await chat.waitFor('nick (your name): ');
    chat.type('\u0003');
    await chat.waitFor('survey cancelled');
    await chat.waitFor('> ');
    chat.type('use survey\r');
    await chat.waitFor('nick (your name): ');
    chat.type('\u0004');
    expect(await chat.closed).toBe(0);
    expect(chat.screen()).toContain('it said {"action":"cancel"}');
  });

  test('Ctrl-C at the prompt drops what was typed; at an empty one the first says how to leave, the second leaves', async () => {
    const chat = openChat();
    await chat.waitFor('Ctrl-C twice');
    await chat.waitFor('> ');
    chat.type('half a prom\u0003');
    await chat.waitFor('> ');
    chat.type('\u0003');
    await chat.waitFor('press Ctrl-C again, or Ctrl-D, to leave');
    await chat.waitFor('> ');
    chat.type('/help\r');
    await chat.waitFor('/exit');
    await chat.waitFor('> ');
    chat.type('\u0003');
    await chat.waitFor('press Ctrl-C again');
    await chat.waitFor('> ');
    chat.type('\u0003');
    expect(await chat.closed).toBe(0);
    expect(chat.screen()).not.toContain('▸');
  });

  test('words with a slash are commands of the chat, and an unknown one says so; a path is a prompt', async () => {
    const chat = openChat('--yes');
    await chat.waitFor('/help lists commands');
    await chat.waitFor('> ');
    chat.type('/tools\r');
    await chat.waitFor('Stamps a letter.');
    await chat.waitFor('> ');
    chat.type('/stamp\r');
    await chat.waitFor('There is no command /stamp: /help');
    await chat.waitFor('> ');
    chat.type('/letters/one: use stamp\r');
    await chat.waitFor('stamp completed');
    await chat.waitFor('> ');
    chat.type('/exit\r');
    expect(await chat.closed).toBe(0);
    expect(chat.screen().match(/▸/g)).toHaveLength(1);
  });

  test('Ctrl-D leaves the line of the prompt behind it', async () => {
    const chat = openChat();
    await chat.waitFor('> ');
    chat.type('\u0004');
    expect(await chat.closed).toBe(0);
    expect(chat.screen()).toMatch(/\n$/);
  });

  test('what a call streams is shown under it', async () => {
    const chat = openChat('--yes');
    await chat.waitFor('> ');
    chat.type('use stream\r');
    await chat.waitFor('▸ stream');
    for (const line of ['    first line', '    warned', '    … 1/2 half', '✓ stream completed', '    streamed'])
      await chat.waitFor(line);
    await chat.waitFor('> ');
    chat.type('\u0004');
    expect(await chat.closed).toBe(0);
  });
});

describe.skipIf(!hasPty)('call at a terminal (needs python3 with pty)', () => {
  test('asks what the tool wants to know', async () => {
    const call = openTerminal(PLUGIN, ['call', 'survey']);
    for (const [prompt, said] of Object.entries({ 'nick (': 'Ann', 'age (': '', 'colour (': 'BLUE', 'sure (': 'no' })) {
      await call.waitFor(prompt);
      call.type(`${said}\r`);
    }
    await call.waitFor('note (');
    call.type('/\r');
    await call.waitFor('{"action":"accept","content":{"nick":"Ann","colour":"blue","sure":false,"note":"/"}}');
    expect(await call.closed).toBe(0);
  });

  test('Ctrl-C at a question cancels the call', async () => {
    const call = openTerminal(PLUGIN, ['call', 'survey']);
    await call.waitFor('nick (');
    call.type('\u0003');
    await call.waitFor('survey cancelled');
    expect(await call.closed).toBe(1);
  });

  test('shows what was streamed and the result does not say', async () => {
    const call = openTerminal(PLUGIN, ['call', 'stream']);
    await call.waitFor('  first line');
    await call.waitFor('  warned');
    await call.waitFor('streamed');
    expect(await call.closed).toBe(0);
  });
});
