import { einWorld } from './worlds/ein-world.ts';
import type { GuestWorld } from './worlds/guest-world.ts';
import { toolpostWorld } from './worlds/toolpost-world.ts';

/** Every world that is hosted, the first that fits counts. */
const WORLDS: readonly GuestWorld[] = [toolpostWorld, einWorld];

/** `exports` with or without versions. Undefined for a component that has no tools. */
export function worldOf(exports: readonly string[]): GuestWorld | undefined {
  const names = exports.map(withoutVersion);
  return WORLDS.find((world) => world.isExportedBy(names));
}

/** `ein:plugin/tool@0.1.0` is `ein:plugin/tool`. */
export function withoutVersion(name: string): string {
  return name.replace(/@[^@/]*$/, '');
}
