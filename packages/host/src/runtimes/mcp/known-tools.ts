import { type StatWatcher, unwatchFile, watchFile } from 'node:fs';
import type { PluginContent, ToolDefinition } from '@toolpost/protocol';
import { foldName } from '../../registry/fold-name.ts';
import { changedParts } from '../../trust/judged-parts.ts';
import type { ChangedTool, ToolPins } from '../../trust/tool-pins.ts';
import { toWithheld } from '../../trust/withheld-tools.ts';
import type { WithheldTool } from '../runtime.ts';
import type { ServerOffer } from './mcp-connection.ts';
import type { ServerTool } from './read-tool.ts';

const LOOK_AGAIN_MS = 1000;

/** The tools of a server as they may be used now: those whose definition is the accepted one. */
export interface KnownTools {
  readonly definitions: readonly ToolDefinition[];
  readonly withheld: readonly WithheldTool[];
  readonly problems: readonly string[];
  readonly warnings: readonly string[];
  readonly content: PluginContent;
  /** The server's tool of a qualified name. @throws Error with what is to be told of one that may not be called. */
  find(name: string): ServerTool;
}

export interface JudgeOptions {
  readonly pluginId: string;
  readonly pins: ToolPins;
  /** Whether a changed definition waits to be accepted; else it is a warning. */
  readonly isPinned: boolean;
}

/** Compares a list with what is kept of the plugin's tools. */
export async function judgeTools(
  { tools, problems, content }: ServerOffer,
  options: JudgeOptions,
): Promise<KnownTools> {
  const { pluginId, pins, isPinned } = options;
  const { changed, unkept } = await pins.judge(
    tools.map(({ definition }) => definition),
    { accepts: !isPinned },
  );
  const withheld = isPinned ? changed.map(toWithheld) : [];
  const noRoom = `${pins.file} has no room for more names: without it, all tools of the plugin are met anew`;
  const reasons = new Map(withheld.map(({ name, reason }) => [name, reason]));
  if (isPinned) for (const name of unkept) reasons.set(name, noRoom);
  const leftOut = isPinned && unkept.length > 0 ? [`new tools that are left out: ${unkept.length}: ${noRoom}`] : [];
  const usable = tools.filter(({ definition }) => !reasons.has(definition.name));
  const byName = new Map(usable.map((tool) => [foldName(tool.definition.name), tool]));
  return {
    definitions: usable.map(({ definition }) => definition),
    withheld,
    problems: [...problems, ...leftOut],
    content,
    warnings: isPinned ? [] : changed.map(toWarning),
    find(name) {
      const tool = byName.get(foldName(name));
      if (tool) return tool;
      const reason = reasons.get(name);
      throw new Error(
        reason ? `${name} may not be called: ${reason}` : `the MCP server ${pluginId} has no ${name} any more`,
      );
    },
  };
}

function toWarning(changed: ChangedTool): string {
  return `the ${changedParts(changed)} of its tool ${changed.name} changed`;
}

/** Calls `onChange` when another process has accepted something. Keeps no process alive. Returns what ends it. */
export function watchPins({ file }: ToolPins, onChange: () => void): () => void {
  const watcher: StatWatcher = watchFile(file, { interval: LOOK_AGAIN_MS, persistent: false }, onChange);
  watcher.unref();
  return () => unwatchFile(file, onChange);
}
