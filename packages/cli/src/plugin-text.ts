import type { HookListing } from '@toolpost/host';
import { hookText } from './hook-text.ts';
import { plainText } from './terminal-text.ts';

/** A plugin as a list for people shows it: of this host, or of a server, which does not tell all. */
export interface PluginRow {
  readonly id: string;
  readonly version: string;
  readonly isLoose?: boolean;
  readonly runtime: string;
  readonly state: keyof typeof MARKS;
  readonly dir?: string;
  readonly tools: readonly string[];
  readonly hooks?: readonly HookListing[];
  readonly error?: string;
}

const MARKS = { active: '✓', inactive: '-', discovered: '·', error: '✗' } as const;

/** A plugin for people: its state, where it lies, and what it offers, or why it does not. */
export function pluginText({ id, version, isLoose, runtime, state, dir, tools, hooks = [], error }: PluginRow): string {
  // A loose file has no version.
  const name = isLoose || version === '' ? id : `${id} ${version}`;
  const head = `${MARKS[state]} ${name}  ${[runtime, state].filter(Boolean).join(', ')}${dir === undefined ? '' : `  ${dir}`}`;
  const body =
    error === undefined
      ? [toolsLine(tools), ...hooks.map((hook) => `    hook: ${hookText(hook)}`)].join('\n')
      : error
          .split('\n')
          .map((line) => `    ${line}`)
          .join('\n');
  return plainText(`${head}\n${body}\n`);
}

function toolsLine(tools: readonly string[]): string {
  return tools.length === 0 ? '    no tools' : `    ${tools.join(', ')}`;
}
