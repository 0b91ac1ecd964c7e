import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { askTerminal, type TerminalAbilities } from './ask-terminal.ts';
import type { Keyboard } from './keyboard.ts';

/** What the terminal was found to be, and what is left to read of the keys. */
async function asked(answer: string): Promise<TerminalAbilities & { typed: string }> {
  const keyboard: Keyboard = Object.assign(new PassThrough(), {
    ...{ isTTY: true as const, setRawMode: () => {}, ref: () => {}, unref: () => {}, close: () => {} },
  });
  const screen = new PassThrough();
  screen.once('data', () => keyboard.write(answer));
  const found = await askTerminal(keyboard, screen);
  return { ...found, typed: keyboard.read() ?? '' };
}

it('knows from its answers what a terminal can do', async () => {
  expect(await asked('\u001b[?0u\u001b[12;3R\u001b[?62;4c')).toMatchObject({ hasKittyKeys: true, joinsEmoji: true });
  expect(await asked('\u001b[1;5R\u001b[?1;2c')).toMatchObject({ hasKittyKeys: false, joinsEmoji: false });
});

it('keeps what was typed meanwhile', async () => {
  expect((await asked('he\u001b[?0ullo\u001b[1;5R\u001b[?1;2c you')).typed).toBe('hello you');
});
