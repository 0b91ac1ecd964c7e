import { expect } from 'vitest';
import type { WebWorld } from './web-world.ts';

/** Nothing was refused by the policy, thrown, logged as an error, warned of or asked for elsewhere. */
export function expectQuiet({ complaints, strays, warnings }: WebWorld): void {
  expect({ complaints, strays, warnings }).toEqual({ complaints: [], strays: [], warnings: [] });
}
