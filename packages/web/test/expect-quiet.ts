import { expect, vi } from 'vitest';
import type { WebWorld } from './web-world.ts';

// A browser and a server on a machine that is busy with others: tests wait for events, and take no longer than those.
vi.setConfig({ testTimeout: 90_000 });

/** Nothing was refused by the policy, thrown, logged as an error, warned of or asked for elsewhere. */
export function expectQuiet({ complaints, strays, warnings }: WebWorld): void {
  expect({ complaints, strays, warnings }).toEqual({ complaints: [], strays: [], warnings: [] });
}
