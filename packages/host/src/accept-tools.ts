import { forgetAnswer } from './plugins/plugin-cache.ts';
import { openHomeDir } from './settings/home-dir.ts';
import { createToolPins } from './trust/tool-pins.ts';

/** A changed tool that was accepted. */
export interface AcceptedTool {
  readonly name: string;
  /** What has changed, as a patch. */
  readonly patch: string;
}

/**
 * Accepts the changed definitions of a plugin's tools as they were listed last: of one tool, or of all. Hosts that run
 * offer them within a second; what a server has changed again meanwhile waits again.
 * @throws Error for a damaged file.
 */
export async function acceptTools(
  environment: Readonly<Record<string, string | undefined>>,
  pluginId: string,
  toolName?: string,
): Promise<AcceptedTool[]> {
  const homeDir = await openHomeDir(environment);
  const accepted = await createToolPins(homeDir, pluginId).accept(toolName);
  if (accepted.length > 0) forgetAnswer(`${homeDir}/cache`, pluginId);
  const { toolChangePatch } = await import('./trust/tool-change-patch.ts');
  return accepted.map((changed) => ({ name: changed.name, patch: toolChangePatch(changed) }));
}
