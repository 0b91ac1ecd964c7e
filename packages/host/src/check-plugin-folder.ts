import { statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { type Manifest, ManifestError } from '@toolpost/protocol';
import type { PluginReading } from './plugins/plugin-reading.ts';
import { readNamedFolder } from './plugins/plugin-sources.ts';
import { looseFileProblem, readLooseFile } from './plugins/read-loose-file.ts';
import { hasManifest, readPluginFolder } from './plugins/read-plugin-folder.ts';
import { programProblems } from './runtimes/program-problems.ts';

export interface PluginFolderCheck {
  /** Absent when it cannot be read or is refused. */
  readonly manifest?: Manifest;
  /** The real path of the plugin: its folder, or its single file. */
  readonly dir: string;
  /** What is wrong, each on its own; empty when it is valid. */
  readonly problems: readonly string[];
  readonly warnings: readonly string[];
}

/** Reads a plugin's manifest, or a single-file plugin, without running anything of it. Never throws. */
export function checkPluginFolder(place: string): PluginFolderCheck {
  const path = resolve(place);
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats) return refused(path, 'does not exist');
  if (!stats.isDirectory()) return checkFile(path);
  if (!hasManifest(path)) return refused(path, 'has no plugin.json: give the folder of one plugin');
  return toCheck(readPluginFolder(path, 'flag'));
}

/**
 * Checks each plugin at a place - a plugin's folder or file, a folder of these - and that what its manifest names to be
 * run is there. Runs nothing, and never throws.
 */
export function checkPlugins(place: string): PluginFolderCheck[] {
  const path = resolve(place);
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  if (!isFolder || hasManifest(path)) return [checkPluginFolder(path)].map(withProgram);
  const warnings: string[] = [];
  const readings = readNamedFolder(path, { origin: 'flag', warnings });
  const [first = 'holds no plugin', ...more] = warnings;
  if (readings.length === 0) return [{ ...refused(path, first), warnings: more }];
  const checks = readings.map(toCheck).map(withProgram);
  return checks.map((check, index) => (index === 0 ? { ...check, warnings: [...warnings, ...check.warnings] } : check));
}

function checkFile(path: string): PluginFolderCheck {
  if (basename(path) === 'plugin.json') return checkPluginFolder(dirname(path));
  const problem = looseFileProblem(basename(path));
  return problem === undefined ? toCheck(readLooseFile(path, 'flag')) : refused(path, problem);
}

function withProgram(check: PluginFolderCheck): PluginFolderCheck {
  const { manifest, dir } = check;
  if (!manifest) return check;
  const isFile = !statSync(dir).isDirectory();
  const folder = isFile ? dirname(dir) : dir;
  const plugin = { id: manifest.id, dir: folder, manifest, origin: 'flag', ...(isFile && { file: dir }) } as const;
  return { ...check, problems: programProblems(plugin) };
}

function toCheck(reading: PluginReading): PluginFolderCheck {
  if ('plugin' in reading) {
    const { manifest, dir, file } = reading.plugin;
    return { manifest, dir: file ?? dir, problems: [], warnings: reading.warnings };
  }
  const { dir, file, error } = reading.problem;
  if (file === undefined && error.cause instanceof ManifestError) {
    return { dir, problems: error.cause.problems, warnings: [] };
  }
  const prefix = `${file ?? join(dir, 'plugin.json')}: `;
  return refused(file ?? dir, error.message.startsWith(prefix) ? error.message.slice(prefix.length) : error.message);
}

function refused(dir: string, problem: string): PluginFolderCheck {
  return { dir, problems: [problem], warnings: [] };
}
