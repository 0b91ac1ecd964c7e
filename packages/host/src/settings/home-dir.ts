import { chmodSync, mkdirSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { HostError } from '@toolpost/protocol';

/**
 * The absolute path of Toolpost's home: TOOLPOST_HOME, else the platform's data directory. It is created for its owner
 * alone; an existing one that TOOLPOST_HOME names keeps its mode, since it may be used for other things too.
 * @throws HostError CONFIG_INVALID when it is no directory or cannot be made.
 */
export async function openHomeDir(environment: Readonly<Record<string, string | undefined>>): Promise<string> {
  const chosen = environment.TOOLPOST_HOME;
  const homeDir = chosen ? resolve(chosen) : await platformDataDir();
  try {
    mkdirSync(homeDir, { recursive: true, mode: 0o700 });
    const isOpenToOthers = process.platform !== 'win32' && (statSync(homeDir).mode & 0o077) !== 0;
    if (isOpenToOthers && !chosen) chmodSync(homeDir, 0o700);
  } catch (error) {
    const origin = chosen ? ' (from TOOLPOST_HOME)' : '; TOOLPOST_HOME can name another';
    throw new HostError('CONFIG_INVALID', `the home directory ${homeDir} cannot be used${origin}: ${error}`, {
      cause: error,
    });
  }
  return homeDir;
}

async function platformDataDir(): Promise<string> {
  const { default: envPaths } = await import('env-paths');
  return envPaths('toolpost', { suffix: '' }).data;
}
