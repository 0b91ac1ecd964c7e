import { spawn } from 'node:child_process';
import { signInToServer } from '@toolpost/host';
import type { CommonOptions } from '../common-options.ts';
import { warn } from '../open-host.ts';
import { print } from '../print.ts';
import { plainText } from '../terminal-text.ts';

export interface PluginsLoginOptions extends Pick<CommonOptions, 'plugins' | 'config' | 'root' | 'tenant'> {
  readonly browser: boolean;
}

/** So long a person may take. */
const LIMIT_MS = 10 * 60_000;

/** `toolpost plugins login`: signs in at an MCP server, in a browser. */
export async function pluginsLogin(id: string, options: PluginsLoginOptions): Promise<number> {
  const { plugins = [], config: configFile, root: roots, tenant = '' } = options;
  const given = { environment: process.env, pluginDirs: plugins, configFile, roots, onWarning: warn };
  await signInToServer(given, {
    pluginId: id,
    tenant,
    abortSignal: AbortSignal.timeout(LIMIT_MS),
    showAddress(url) {
      process.stderr.write(`Sign in at this address:\n${plainText(url.href)}\n`);
      if (options.browser) openBrowser(url);
    },
  });
  await print(plainText(`signed in: ${id}\n`));
  return 0;
}

/** Where there is no browser, the address stands on the screen. */
function openBrowser(url: URL): void {
  // What a server gave as its address must not be more than an address to a program.
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return;
  const [command, ...args] =
    process.platform === 'darwin'
      ? ['open']
      : process.platform === 'win32'
        ? ['rundll32', 'url.dll,FileProtocolHandler']
        : ['xdg-open'];
  const child = spawn(command ?? '', [...args, url.href], { stdio: 'ignore', detached: true });
  child.on('error', () => undefined);
  child.unref();
}
