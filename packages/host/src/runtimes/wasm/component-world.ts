import { withoutVersion } from './component/without-version.ts';
import type { FunctionTool } from './functions/function-tools.ts';
import { einWorld } from './worlds/ein-world.ts';
import type { GuestWorld } from './worlds/guest-world.ts';
import { plainFunctions } from './worlds/plain-functions.ts';
import { toolpostWorld } from './worlds/toolpost-world.ts';

/** Every world that is hosted, the first that fits counts. */
const WORLDS: readonly GuestWorld[] = [toolpostWorld, einWorld];

/**
 * `exports` with or without versions; `functions` are what it exports as plain functions, which count when no world
 * fits. Undefined for a component that has no tools.
 */
export function worldOf(exports: readonly string[], functions: readonly FunctionTool[] = []): GuestWorld | undefined {
  const names = exports.map(withoutVersion);
  return [...WORLDS, plainFunctions(functions)].find((world) => world.isExportedBy(names));
}
