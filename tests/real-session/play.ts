import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startScriptedProvider } from '../../packages/host/src/models/fixtures/scripted-provider.ts';
import { repository, timeless } from '../documented-page.ts';
import { writeRepository } from './repository.ts';
import { ANSWERS, TYPED } from './script.ts';
import { playTerminal } from './terminal.ts';

export interface RealSession {
  /** What stood on the screen, without what differs from run to run. */
  readonly transcript: string;
  /** What the model was sent for each answer. */
  readonly requests: readonly { readonly body: Record<string, unknown> }[];
  /** The file that was to be repaired, afterwards. */
  readonly repaired: string;
}

/** Plays the session: the real command at a real terminal, in a repository of its own, with a model that is a script. */
export async function playSession(): Promise<RealSession> {
  const base = realpathSync(mkdtempSync(path.join(tmpdir(), 'toolpost-session-')));
  const work = path.join(base, 'titles');
  mkdirSync(work);
  writeRepository(work);
  await using provider = await startScriptedProvider(ANSWERS);
  const model = `openai-compatible:scripted@${provider.url}`;
  const command = [process.execPath, path.join(repository, 'packages/cli/bin/toolpost.js'), 'chat', '--no-bundled'];
  const PATH = `${path.dirname(process.execPath)}${path.delimiter}${process.env.PATH}`;
  const env = { PATH, HOME: base, TOOLPOST_HOME: path.join(base, 'home'), TERM: 'dumb', NO_COLOR: '1' };
  const screen = await playTerminal([...command, '--model', model], { cwd: work, env }, { typed: TYPED, last: '\n> ' });
  const repaired = readFileSync(path.join(work, 'src/slugify.js'), 'utf8');
  rmSync(base, { recursive: true, force: true });
  const shown = screen.replaceAll(work, '/home/ann/titles').replaceAll(provider.url, 'http://127.0.0.1:8080/v1');
  return { transcript: timeless(shown), requests: provider.requests, repaired };
}
