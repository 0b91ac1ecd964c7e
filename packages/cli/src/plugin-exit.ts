import { writeSync } from 'node:fs';
import type { EventBody } from '@toolpost/protocol';
import { visibleText } from './terminal-text.ts';

/** The calls in flight, by their id: a process has one exit, so all of it share them. */
const running = new Map<string, string>();
let isOurs = false;

/** Ends the process at once, as we mean it. */
export function exitNow(status: number): never {
  isOurs = true;
  process.exit(status);
}

/** Passes events on, and remembers which calls run. */
export function followingCalls<Event extends EventBody>(onEvent: (event: Event) => void): (event: Event) => void {
  return (event) => {
    if (event.type === 'tool-call-start') running.set(event.toolCallId, nameOf(event));
    if (event.type === 'tool-call-end') running.delete(event.toolCallId);
    onEvent(event);
  };
}

/**
 * Runs `work`; a native plugin that ends the process under it, by `process.exit()`, does not do so without a word, and
 * the exit status is 1: the work is not done, whatever the plugin said.
 */
export async function tellingPluginExit<T>(work: () => Promise<T>): Promise<T> {
  process.on('exit', tell);
  try {
    return await work();
  } finally {
    process.off('exit', tell);
  }
}

function tell(): void {
  if (isOurs) return;
  const during = running.size === 0 ? '' : ` while ${[...running.values()].join(', ')} ran`;
  const remedy = 'A tool returns an error result or throws; only a stdio plugin has a process of its own.';
  process.exitCode = 1;
  try {
    writeSync(2, `toolpost: a native plugin ended the process${during}, as by process.exit(). ${remedy}\n`);
  } catch {
    // Nobody reads it any more.
  }
}

function nameOf({ name, plugin }: { name: string; plugin: string }): string {
  return visibleText(plugin === '' ? name : `${name} of plugin ${plugin}`);
}
