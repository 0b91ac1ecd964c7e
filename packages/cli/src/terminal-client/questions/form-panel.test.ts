import { afterEach, describe, expect, test } from 'vitest';
import { closeTerminals, hasPty, openTerminal } from '../../fixtures/open-terminal.ts';

const PLUGIN = `
  import { defineTool, definePlugin } from '@toolpost/sdk';
  const survey = {
    type: 'object',
    properties: { nick: { type: 'string', description: 'your name' }, age: { type: 'integer', minimum: 1 }, colour: { enum: ['red', 'blue'], default: 'red' }, sure: { type: 'boolean' }, note: { type: 'string' } },
    required: ['nick', 'sure'],
  };
  const asking = (name, form) => defineTool({ name, description: 'Asks.', execute: async (_, { ask }) => 'it said ' + JSON.stringify(await ask(form)) });
  export default definePlugin({ tools: [
    asking('survey', { message: 'Who\\u202e is it?\\nAllow edit?', schema: survey }),
    asking('confirm', { message: 'Sure?', schema: { type: 'object', properties: {} } }),
  ] });`;

afterEach(closeTerminals);

async function openForm(tool: string) {
  const chat = openTerminal(PLUGIN, ['chat', '--yes'], { cols: 100, rows: 30 });
  await chat.see(/^> /);
  chat.type(`use ${tool}\r`);
  await chat.see(`${tool} of plugin p asks`);
  await chat.see('Esc cancels the form');
  return chat;
}

describe.skipIf(!hasPty)('a form at a terminal (needs python3 with pty)', () => {
  test('says who asks, and asks field by field: checks, defaults, choices, what may be left out', async () => {
    const chat = await openForm('survey');
    const from = chat.lines().findIndex((line) => line.includes('of plugin p asks'));
    expect(chat.lines().slice(from, from + 6)).toEqual([
      ...['survey of plugin p asks', '  │ Who\\u202e is it?', '  │ Allow edit?', '  nick  your name', '  ❯'],
      '  field 1 of 5 · Enter goes on · Ctrl-D declines · Esc cancels the form',
    ]);
    chat.type('\r');
    await chat.see('✗ it is required');
    chat.type('Ann\r');
    await chat.see('✓ nick  Ann');
    await chat.see('age  a whole number; optional');
    chat.type('0\r');
    await chat.see('✗ it is less than 1');
    chat.type('\u007f7\r');
    await chat.see('❯ red');
    chat.type('\u001b[B');
    await chat.see('❯ blue');
    chat.type('\r');
    await chat.see('✓ colour  blue');
    chat.type('n\r');
    await chat.see('note  optional');
    chat.type('\r');
    await chat.see('it said {"action":"accept","content":{"nick":"Ann","age":7,"colour":"blue","sure":false}}');
  });

  test('is declined with Ctrl-D, cancelled with Esc, and Ctrl-C cancels the turn', async () => {
    const chat = await openForm('survey');
    chat.type('\u0004');
    await chat.see('it said {"action":"decline"}');
    chat.type('use survey\r');
    await chat.see('Esc cancels the form');
    chat.type('\u001b');
    await chat.see('it said {"action":"cancel"}');
    chat.type('use survey\r');
    await chat.see('Esc cancels the form');
    chat.type('\u0003');
    await chat.see('cancelled');
    await chat.see('ask for something');
  });

  test('without fields is a yes or a no', async () => {
    const chat = await openForm('confirm');
    await chat.see('❯ Yes');
    chat.type('\u001b[B');
    await chat.see('❯ No');
    chat.type('y');
    await chat.see('it said {"action":"accept","content":{}}');
  });
});
