import { readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { isJsonObject } from '@toolpost/protocol';
import { fileNameOf } from '../settings/file-names.ts';

export interface EarlierPlace {
  readonly homeDir: string;
  readonly pluginId: string;
  /** The folder of the plugin; absent where it has none. */
  readonly pluginDir?: string | undefined;
  readonly tenant: string;
  readonly onProblem: (message: string) => void;
}

/**
 * What a plugin kept in files before values went into the database, as JSON text by key: in `storage/<plugin>/` of the
 * home directory, and, for nobody's tenant, in `data/storage.json` of its own folder (section 8 of the reference).
 * The files stay as they are. One that is damaged is set aside.
 */
export function readEarlierValues({
  homeDir,
  pluginId,
  pluginDir,
  tenant,
  onProblem,
}: EarlierPlace): Map<string, string> {
  const name = tenant === '' ? '_' : `t-${fileNameOf(tenant)}`;
  const files = [join(homeDir, 'storage', pluginId, `${name}.json`)];
  if (tenant === '' && pluginDir !== undefined) files.unshift(join(pluginDir, 'data', 'storage.json'));
  const values = new Map<string, string>();
  for (const file of files) {
    for (const [key, value] of Object.entries(readObject(file, onProblem))) values.set(key, JSON.stringify(value));
  }
  return values;
}

function readObject(file: string, onProblem: EarlierPlace['onProblem']): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (isJsonObject(value)) return value;
    throw new SyntaxError('it holds no JSON object');
  } catch (error) {
    if (!(error instanceof SyntaxError)) {
      const { code } = Object(error) as { code?: unknown };
      if (code === 'ENOENT' || code === 'ENOTDIR') return {};
      throw new Error(`the earlier storage ${file} cannot be read: ${error instanceof Error ? error.message : error}`);
    }
    setAside(file);
    onProblem(`the storage ${file} was damaged (${error.message}); it was set aside and a new one begun`);
    return {};
  }
}

function setAside(file: string): void {
  try {
    renameSync(file, `${file}.damaged-${Date.now()}`);
  } catch {
    // In a folder that may not be written: it is not looked at again in any case.
  }
}
