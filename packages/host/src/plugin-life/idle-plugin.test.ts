import type { ToolDefinition } from '@toolpost/protocol';
import { expect, test } from 'vitest';
import type { RuntimeCallContext } from '../runtimes/runtime.ts';
import { PluginSlot } from './plugin-slot.ts';
import type { PluginSlotParts } from './plugin-slot-parts.ts';

/** A slot of a plugin in memory whose calls end when they are told to, and how often it was started and closed. */
function createSlot(idleMs: number) {
  const counts = { starts: 0, closes: 0 };
  const closed: PromiseWithResolvers<void>[] = [];
  const nextClose = () => {
    closed.push(Promise.withResolvers<void>());
    return closed.at(-1)?.promise;
  };
  const calls: PromiseWithResolvers<string>[] = [];
  const runtime = {
    async load() {
      counts.starts += 1;
      return {
        ...{ tools: [], hooks: [], enrichers: [], isReady: true },
        ready: async () => undefined,
        execute() {
          calls.push(Promise.withResolvers<string>());
          return calls.at(-1)?.promise;
        },
        async close() {
          counts.closes += 1;
          closed.pop()?.resolve();
        },
      };
    },
  };
  const parts = {
    ...{ plugin: { id: 'p' }, runtime, context: {}, services: {}, isDisabled: false, idleMs },
    known: { tools: [], hooks: [], enrichers: [], knowledge: 'none' },
    redact: (text: string) => text,
    onChange: () => undefined,
  } as unknown as PluginSlotParts;
  const slot = new PluginSlot(parts);
  const call = () => slot.runner.execute({} as ToolDefinition, {}, {} as RuntimeCallContext);
  return { slot, call, calls, counts, nextClose };
}

test('what is not used is ended, and started again by the next call', async () => {
  const { slot, counts, nextClose } = createSlot(20);
  const ended = nextClose();
  await slot.runner.ready();
  await ended;
  expect([slot.runner.isReady, slot.state, counts.starts]).toEqual([false, 'discovered', 1]);
  await slot.runner.ready();
  expect([slot.runner.isReady, counts.starts]).toEqual([true, 2]);
  await slot.close();
  expect(counts).toEqual({ starts: 2, closes: 2 });
});

test('a call that takes longer than that is not ended under it', async () => {
  const { slot, call, calls, counts, nextClose } = createSlot(20);
  await slot.runner.ready();
  const [long, short] = [call(), call()];
  calls[1]?.reject(new Error('it failed'));
  await expect(short).rejects.toThrow('it failed');
  await new Promise((resolve) => setTimeout(resolve, 60));
  expect(counts.closes).toBe(0);
  const ended = nextClose();
  calls[0]?.resolve('done');
  expect(await long).toBe('done');
  await ended;
  expect(slot.runner.isReady).toBe(false);
});
