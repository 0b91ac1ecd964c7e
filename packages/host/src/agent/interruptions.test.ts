import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { startStrictProvider } from '../models/fixtures/strict-provider.ts';
import { resolveModel } from '../models/resolve-model.ts';
import { faultsOf } from './fixtures/history-faults.ts';
import { openKeptHistory } from './fixtures/kept-history.ts';
import { createRandom, createRandomTurn } from './fixtures/random-turn.ts';
import { type HistoryMessage, repairHistory } from './history.ts';
import { runTurn } from './run-turn.ts';

/** TOOLPOST_INTERRUPTIONS=500 runs them all. */
const INTERRUPTIONS = Number(process.env.TOOLPOST_INTERRUPTIONS ?? 100);
const KILLS = Math.max(20, Math.ceil(INTERRUPTIONS * 0.08));
const CANCELS = INTERRUPTIONS - KILLS;
const LIMIT_MS = 120_000;
const CHILDREN_AT_ONCE = 4;
const MAX_EVENTS = 40;
const MODELS = ['openai-compatible:m', 'anthropic:m'] as const;
const CHILD = fileURLToPath(new URL('fixtures/endless-turns.ts', import.meta.url));

function modelAt(spec: string, url: string) {
  return resolveModel(spec, { environment: { ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: url, OPENAI_BASE_URL: url } });
}

test(
  `${CANCELS} turns that are cancelled anywhere leave a history that both wires take`,
  async () => {
    const seed = Date.now() % 1e9;
    const random = createRandom(seed);
    await using provider = await startStrictProvider(random);
    const models = await Promise.all(MODELS.map((spec) => modelAt(spec, provider.url)));
    const reasons = new Map<string, number>();
    let history: HistoryMessage[] = [];
    for (let count = 0; count < CANCELS; count++) {
      const abort = new AbortController();
      let left = Math.floor(random() * MAX_EVENTS);
      if (left === 0) abort.abort();
      const { reason, messages } = await runTurn({
        ...createRandomTurn(random),
        model: models[count % models.length] as (typeof models)[number],
        history,
        abortSignal: abort.signal,
        onEvent: () => void (--left === 0 && abort.abort()),
      });
      reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
      expect(faultsOf(messages), `seed ${seed}, turn ${count}`).toEqual([]);
      history = count % 50 === 49 ? [] : messages;
    }
    expect(provider.faults, `seed ${seed}`).toEqual([]);
    expect(reasons.get('cancelled')).toBeGreaterThan(CANCELS / 4);
    expect(reasons.get('completed')).toBeGreaterThan(CANCELS / 20);
  },
  LIMIT_MS,
);

/** Starts turns in a process of their own and kills it after so many events, wherever it then is. */
async function runUntilKilled(file: string, events: number) {
  const child = spawn(process.execPath, [CHILD, file], { stdio: ['ignore', 'pipe', 'inherit'] });
  const closed = once(child, 'close');
  let seen = 0;
  child.stdout.on('data', (dots: Buffer) => {
    seen += dots.length;
    if (seen >= events) child.kill('SIGKILL');
  });
  const [, signal] = await closed;
  expect(signal).toBe('SIGKILL');
}

test(`${KILLS} hosts that are killed anywhere leave a history that both wires take`, async () => {
  const dir = mkdtempSync(join(tmpdir(), 'toolpost-kills-'));
  const seed = Date.now() % 1e9;
  const random = createRandom(seed);
  await using provider = await startStrictProvider(random);
  const models = await Promise.all(MODELS.map((spec) => modelAt(spec, provider.url)));
  let torn = 0;
  const killAndGoOn = async (index: number) => {
    const kept = openKeptHistory(join(dir, `${index}.jsonl`));
    for (let count = 0; count < KILLS / CHILDREN_AT_ONCE; count++) {
      await runUntilKilled(join(dir, `${index}.jsonl`), 1 + Math.floor(random() * MAX_EVENTS));
      const history = kept.load();
      if (faultsOf(history).length > 0) torn++;
      expect(faultsOf(repairHistory(history)), `seed ${seed}`).toEqual([]);
      const { messages } = await runTurn({
        ...createRandomTurn(random),
        ...{ model: models[count % models.length] as (typeof models)[number], history, onEvent: () => undefined },
        abortSignal: new AbortController().signal,
      });
      expect(faultsOf(messages), `seed ${seed}`).toEqual([]);
      kept.replace(messages);
    }
  };
  await Promise.all(Array.from({ length: CHILDREN_AT_ONCE }, (_, index) => killAndGoOn(index)));
  expect(provider.faults, `seed ${seed}`).toEqual([]);
  expect(provider.requests()).toBeGreaterThan(KILLS);
  // Else no kill came in the middle of a round, and nothing was tested.
  expect(torn).toBeGreaterThan(0);
  rmSync(dir, { recursive: true, force: true });
}, 120_000);
