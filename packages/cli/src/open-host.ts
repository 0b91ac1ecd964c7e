import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createHost, type Host } from '@toolpost/host';
import type { Session } from '@toolpost/protocol';
import type { CommonOptions } from './common-options.ts';
import { tellingPluginExit } from './plugin-exit.ts';
import { ownStdout } from './print.ts';
import { plainText } from './terminal-text.ts';

export interface HostDisplay {
  /** False for a command whose output says itself which plugins do not work. */
  readonly warnsOfBroken?: boolean;
  /** In place of this process's own. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

/** Opens a host and a session as the common flags say. Warnings go to stderr, each as one line. */
export async function openHost(
  options: CommonOptions,
  { warnsOfBroken = true, environment = process.env }: HostDisplay = {},
): Promise<{ host: Host; session: Session }> {
  ownStdout();
  const host = await createHost({
    environment,
    pluginDirs: options.plugins ?? [],
    bundledDir: options.bundled ? packageFolder('plugins') : undefined,
    roots: options.root,
    configFile: options.config,
    allow: options.allow ?? [],
    yes: options.yes,
    pythonDir: packageFolder('python'),
    warnsOfBroken,
    onWarning: warn,
  });
  const { tenant, channel, chat: chatId, user } = options;
  // Roots that are typed are the operator's word, also for a tenant that is configured with others.
  return { host, session: host.openSession({ tenant, channel, chatId, user, roots: options.root }) };
}

/** Tells the person of something, as one line. */
export function warn(message: string): void {
  process.stderr.write(`toolpost: warning: ${plainText(message)}\n`);
}

/** Runs `work` with a host that is closed afterwards, whatever happens. */
export async function withHost<T>(
  options: CommonOptions,
  work: (host: Host, session: Session) => Promise<T>,
  display?: HostDisplay,
): Promise<T> {
  const { host, session } = await openHost(options, display);
  return tellingPluginExit(async () => {
    try {
      return await work(host, session);
    } finally {
      await host.close();
    }
  });
}

/** What the published package carries lies beside its `dist`; in the repository it is copied there by the build. */
function packageFolder(name: string): string {
  const inPackage = fileURLToPath(new URL(`../${name}`, import.meta.url));
  return existsSync(inPackage) ? inPackage : fileURLToPath(new URL(`../../../${name}`, import.meta.url));
}
