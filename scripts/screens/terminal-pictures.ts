import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import xterm from '@xterm/headless';
import type { Browser, Page } from 'playwright-core';
import { launcher } from '../repository.js';
import { setStage } from './stage.ts';
import { ANSWERS, QUESTION } from './story.ts';
import { terminalToHtml } from './terminal-html.ts';

const PTY = fileURLToPath(new URL('../../packages/cli/src/fixtures/open-pty.py', import.meta.url));
/** As high as the whole turn is. */
const [COLS, ROWS] = [104, 54];
const MAX_WAIT_MS = 60_000;

/** The story at a terminal, while it asks and when it has ended. */
export async function takeTerminalPictures(browser: Browser, save: (page: Page, name: string) => Promise<void>) {
  await using stage = await setStage(ANSWERS);
  const terminal = new xterm.Terminal({ cols: COLS, rows: ROWS, allowProposedApi: true });
  const command = [PTY, String(COLS), String(ROWS), process.execPath, launcher, 'chat', ...stage.args];
  const child = spawn('python3', command, {
    cwd: stage.root,
    env: { ...stage.env, TERM: 'xterm-256color', COLORTERM: 'truecolor' },
    stdio: ['pipe', 'pipe', 'inherit', 'pipe'],
  });
  const [keyboard, output] = [child.stdin, child.stdout];
  if (!keyboard || !output) throw new Error('python3 has no pipes');
  terminal.onData((text) => keyboard.write(text));
  output.on('data', (piece: Buffer) => terminal.write(piece));
  const shows = () =>
    Array.from({ length: ROWS }, (_, row) => terminal.buffer.active.getLine(terminal.buffer.active.baseY + row))
      .map((line) => line?.translateToString(true) ?? '')
      .join('\n');
  const see = async (text: RegExp) => {
    const signal = AbortSignal.timeout(MAX_WAIT_MS);
    while (!text.test(shows())) {
      if (signal.aborted) throw new Error(`the terminal never showed ${text}:\n${shows()}`);
      await Promise.race([once(output, 'data'), once(signal, 'abort')]);
      await new Promise<void>((drawn) => terminal.write('', drawn));
    }
  };
  const picture = async (name: string) => {
    const page = await (await browser.newContext({ deviceScaleFactor: 1.5 })).newPage();
    await page.setContent(terminalToHtml(terminal, 'toolpost chat'));
    const box = await page.locator('main').boundingBox();
    await page.setViewportSize({ width: Math.ceil(box?.width ?? 900), height: Math.ceil(box?.height ?? 700) });
    await save(page, name);
  };
  try {
    await see(/[>›❯]/);
    keyboard.write(QUESTION);
    await see(/mend it/);
    keyboard.write('\r');
    await see(/Esc cancels the turn/);
    await picture('terminal-asks');
    keyboard.write('y');
    await see(/log\.warn/);
    await picture('terminal');
    keyboard.write('/exit\r');
    await once(child, 'close');
  } finally {
    child.kill();
  }
}
