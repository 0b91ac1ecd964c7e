import { checkPluginFolder } from '@toolpost/host';
import { print } from '../print.ts';
import { plainText } from '../terminal-text.ts';

/** `toolpost plugins validate`: checks a plugin.json without running anything. Exits with 1 when it is not valid. */
export async function pluginsValidate(dir: string): Promise<number> {
  const { manifest, problem, warnings } = checkPluginFolder(dir);
  for (const warning of warnings) process.stderr.write(`toolpost: warning: ${plainText(warning)}\n`);
  if (!manifest) {
    process.stderr.write(`toolpost: ${plainText(problem ?? `${dir} is not valid`)}\n`);
    return 1;
  }
  await print(plainText(`${manifest.id} ${manifest.version} (${manifest.runtime}) is valid\n`));
  return 0;
}
