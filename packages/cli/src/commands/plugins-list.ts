import type { Host, PluginStatus } from '@toolpost/host';
import type { CommonOptions } from '../common-options.ts';
import { withHost } from '../open-host.ts';
import { pluginText } from '../plugin-text.ts';
import { print } from '../print.ts';

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
  return plugins.map(pluginText).join('');
}
