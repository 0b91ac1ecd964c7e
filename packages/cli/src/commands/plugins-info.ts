import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { checkPluginFolder, type Host, type PluginStatus } from '@toolpost/host';
import { formatDuration, type Manifest } from '@toolpost/protocol';
import type { CommonOptions } from '../common-options.ts';
import { hookText } from '../hook-text.ts';
import { withHost } from '../open-host.ts';
import { print } from '../print.ts';
import { plainText } from '../terminal-text.ts';
import { UsageError } from '../usage-error.ts';

export interface PluginsInfoOptions extends CommonOptions {
  readonly json: boolean;
}

/** `toolpost plugins info`: what a plugin says of itself, and its state when it is among those found. */
export async function pluginsInfo(place: string, options: PluginsInfoOptions): Promise<number> {
  const isFolder = statSync(place, { throwIfNoEntry: false })?.isDirectory() === true;
  const looksLikePath = /[/\\]/.test(place);
  if (!isFolder && looksLikePath) throw new UsageError(`the plugin folder ${resolve(place)} does not exist`);
  const plugins = [...(options.plugins ?? []), ...(isFolder ? [place] : [])];
  const show = async (host: Host) => {
    const found = await host.listPlugins();
    const status = found.find(({ id, dir }) => (isFolder ? dir === realPath(place) : id === place));
    if (!status)
      throw new UsageError(
        `no plugin ${JSON.stringify(place)} was found; there are: ${found.map(({ id }) => id).join(', ') || 'none'}`,
      );
    const { isLoose, ...said } = status;
    const { manifest, problems } = hasFolder(status) ? checkPluginFolder(status.dir) : NOTHING_TO_CHECK;
    await print(
      options.json ? `${JSON.stringify({ ...said, manifest })}\n` : describe(withProblems(status, problems), manifest),
    );
    return status.state === 'error' ? 1 : 0;
  };
  return withHost({ ...options, plugins }, show, { warnsOfBroken: false });
}

const NOTHING_TO_CHECK = { manifest: undefined, problems: [] };

/** A server of the configuration has a directory that it starts in, in which there may be anything. */
function hasFolder({ isLoose, runtime }: PluginStatus): boolean {
  return !(isLoose && runtime === 'mcp');
}

/** A manifest that is refused for several reasons has each on a line of its own. */
function withProblems(status: PluginStatus, problems: readonly string[]): PluginStatus {
  if (problems.length < 2) return status;
  return { ...status, error: ['its plugin.json is not valid', ...problems].join('\n') };
}

function realPath(place: string): string {
  return checkPluginFolder(place).dir;
}

const LABEL = 12;

function describe(
  { id, version, isLoose, runtime, state, dir, tools, hooks, error }: PluginStatus,
  manifest: Manifest | undefined,
): string {
  const rows: [string, string][] = [
    ['id', id],
    ['version', isLoose ? '' : version],
    ['runtime', runtime],
    ['state', error === undefined ? state : `${state}: ${error}`],
    ['folder', dir],
    ['description', manifest?.description ?? ''],
    ['author', manifest?.author ?? ''],
    ['homepage', manifest?.homepage ?? ''],
    ['permissions', manifest?.permissions.join(', ') ?? ''],
    ['timeout', manifest ? formatDuration(manifest.timeoutMs) : ''],
    ['environment', manifest?.env.join(', ') ?? ''],
    ['tools', tools.join(', ')],
    ['hooks', hooks.map(hookText).join(', ')],
  ];
  return rows.map(([label, value]) => (value === '' ? '' : `${label.padEnd(LABEL)} ${indented(value)}\n`)).join('');
}

/** No text of a plugin looks like a row of ours. */
function indented(value: string): string {
  return plainText(value).replaceAll('\n', `\n${' '.repeat(LABEL + 1)}`);
}
