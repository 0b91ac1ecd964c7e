import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Manifest } from '@toolpost/protocol';
import { readLooseFile } from './plugins/read-loose-file.ts';
import { hasManifest, readPluginFolder } from './plugins/read-plugin-folder.ts';

export interface PluginFolderCheck {
  /** Absent when it is not valid. */
  readonly manifest?: Manifest;
  /** The real path of the plugin. */
  readonly dir: string;
  readonly problem?: string;
  readonly warnings: readonly string[];
}

/** Reads a plugin's manifest, or a single-file plugin, without running anything of it. Never throws. */
export function checkPluginFolder(place: string): PluginFolderCheck {
  const path = resolve(place);
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats) return { dir: path, problem: `${path} does not exist`, warnings: [] };
  if (stats.isDirectory() && !hasManifest(path)) {
    return { dir: path, problem: `${path} has no plugin.json: give the folder of one plugin`, warnings: [] };
  }
  const reading = stats.isDirectory() ? readPluginFolder(path, 'flag') : readLooseFile(path, 'flag');
  if ('problem' in reading) return { dir: reading.problem.dir, problem: reading.problem.error.message, warnings: [] };
  const { manifest, dir, file } = reading.plugin;
  return { manifest, dir: file ?? dir, warnings: reading.warnings };
}
