import type { Host, PluginStatus } from '@toolpost/host';
import type { CommonOptions } from '../common-options.ts';
import { hookText } from '../hook-text.ts';
import { withHost } from '../open-host.ts';
import { print } from '../print.ts';
import { plainText } from '../terminal-text.ts';

export interface PluginsListOptions extends CommonOptions {
  readonly json: boolean;
}

/** `toolpost plugins list`: every plugin that was found, in which state, and why not. */
export async function pluginsList(options: PluginsListOptions): Promise<number> {
  const show = async (host: Host) => {
    const plugins = await host.listPlugins();
    await print(options.json ? `${JSON.stringify({ plugins: plugins.map(toListing) })}\n` : forPeople(plugins));
  };
  await withHost(options, show, { warnsOfBroken: false });
  return 0;
}

function toListing({ id, version, runtime, state, dir, tools, hooks, error }: PluginStatus) {
  return { id, version, runtime, state, dir, tools, hooks, ...(error !== undefined && { error }) };
}

function forPeople(plugins: readonly PluginStatus[]): string {
  if (plugins.length === 0) return 'No plugins were found. Give a folder with --plugins DIR.\n';
  return plugins.map(describe).map(plainText).join('');
}

const MARKS = { active: '✓', inactive: '-', discovered: '·', error: '✗' } as const;

function describe({ id, version, isLoose, runtime, state, dir, tools, hooks, error }: PluginStatus): string {
  // A loose file has no version.
  const name = isLoose || version === '' ? id : `${id} ${version}`;
  const head = `${MARKS[state]} ${name}  ${[runtime, state].filter(Boolean).join(', ')}  ${dir}`;
  const body =
    error === undefined
      ? [toolsLine(tools), ...hooks.map((hook) => `    hook: ${hookText(hook)}`)].join('\n')
      : error
          .split('\n')
          .map((line) => `    ${line}`)
          .join('\n');
  return `${head}\n${body}\n`;
}

function toolsLine(tools: readonly string[]): string {
  return tools.length === 0 ? '    no tools' : `    ${tools.join(', ')}`;
}
