import type { HostCore } from '../host-core.ts';

/**
 * One line about a plugin that does not work, where the person is whose call needs it: its state and all of the reason
 * are in `plugins list`, which nobody looks at unasked.
 */
export function warnOfBroken({ options, warn }: HostCore, name: string, reason: string): void {
  if (options.warnsOfBroken === false) return;
  warn(brokenText(name, reason));
}

/** What is told of a plugin that does not work. */
export function brokenText(name: string, reason: string): string {
  const prefix = `${name}: `;
  const [line = ''] = (reason.startsWith(prefix) ? reason.slice(prefix.length) : reason).split('\n', 1);
  return `plugin ${name} does not work: ${line} (\`toolpost plugins list\` tells more)`;
}
