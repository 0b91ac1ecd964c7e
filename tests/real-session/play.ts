import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openTerminal } from '../../packages/cli/src/fixtures/open-terminal.ts';
import { createCommandWorld } from '../../packages/cli/src/fixtures/run-toolpost.ts';
import { startScriptedProvider } from '../../packages/host/src/models/fixtures/scripted-provider.ts';
import { writeRepository } from './repository.ts';
import { ANSWERS, PROMPT, REPLIES } from './script.ts';

export interface RealSession {
  /** What stood on the screen: each question, then everything, without what differs from run to run. */
  readonly screens: readonly string[];
  /** What the model was sent for each answer. */
  readonly requests: readonly { readonly body: Record<string, unknown> }[];
  /** The file that was to be repaired, afterwards. */
  readonly repaired: string;
}

const SIZE = { cols: 100, rows: 40 };
const READY = 'ask for something';
const QUESTION = 'Allow the built-in ';

/** Plays the session: the real command at a real terminal, in a repository of its own, with a model that is a script. */
export async function playSession(): Promise<RealSession> {
  const base = realpathSync(mkdtempSync(path.join(tmpdir(), 'toolpost-session-')));
  const root = path.join(base, 'titles');
  mkdirSync(root);
  writeRepository(root);
  await using provider = await startScriptedProvider(ANSWERS);
  const args = ['chat', '--no-bundled', '--model', `openai-compatible:scripted@${provider.url}`];
  const world = { ...createCommandWorld(), root };
  const chat = openTerminal('', args, { ...SIZE, world, isAlone: true, env: { NO_COLOR: '1' } });
  const screens: string[] = [];
  const shown = (lines: readonly string[]) => timeless(lines.join('\n').replaceAll(root, '/home/ann/titles'));

  await chat.see(READY);
  chat.type(`${PROMPT}\r`);
  for (const { asks, keys } of REPLIES) {
    await chat.see(asks);
    await chat.see('❯ Once (y)');
    screens.push(shown(questionIn(chat.lines())));
    for (const { key, shows } of keys) {
      chat.type(key);
      if (shows !== undefined) await chat.see(shows);
    }
  }
  await chat.see('none is left at the ends');
  await chat.see(READY);
  screens.push(shown(withoutPrompt(chat.allLines())));
  chat.type('\u0004');
  await chat.closed;
  const repaired = readFileSync(path.join(root, 'src/slugify.js'), 'utf8');
  for (const dir of [base, world.dir]) rmSync(dir, { recursive: true, force: true });
  return { screens, requests: provider.requests, repaired };
}

/** From the call that asks to the last row of its choices, without the bar of states below. */
function questionIn(lines: readonly string[]): readonly string[] {
  const at = lines.findIndex((line) => line.startsWith(QUESTION));
  const end = lines.findIndex((line) => line.includes('Esc cancels the turn'));
  return lines.slice(Math.max(0, at - 2), end + 1);
}

/** What went to the scrollback. */
function withoutPrompt(lines: readonly string[]): readonly string[] {
  return lines.slice(
    0,
    lines.findLastIndex((line) => line.includes(READY)),
  );
}

/** A time is shown from a second on, so whether it is there hangs on the machine. */
function timeless(text: string): string {
  return text.replaceAll(/ (?:in|after) [\d.]+ s\b/g, '').trimEnd();
}
