import { checkPlugins, type PluginFolderCheck } from '@toolpost/host';
import { print } from '../print.ts';
import { plainText } from '../terminal-text.ts';

/**
 * `toolpost plugins validate`: checks a plugin, or each of a folder, without running anything. Exits with 1 when one is
 * not valid.
 */
export async function pluginsValidate(place: string): Promise<number> {
  const checks = checkPlugins(place);
  for (const check of checks) await tell(check);
  return checks.every(({ problems }) => problems.length === 0) ? 0 : 1;
}

async function tell({ manifest, dir, problems, warnings }: PluginFolderCheck): Promise<void> {
  for (const warning of warnings) process.stderr.write(`toolpost: warning: ${plainText(warning)}\n`);
  if (manifest && problems.length === 0) {
    await print(plainText(`${manifest.id} ${manifest.version} (${manifest.runtime}) is valid\n`));
    return;
  }
  const separator = problems.length === 1 ? ' ' : '\n  ';
  process.stderr.write(`toolpost: ${plainText([`${dir} is not valid:`, ...problems].join(separator))}\n`);
}
