import type { WithheldTool } from '../registry/withheld-tool.ts';
import { changedParts } from './judged-parts.ts';
import type { ChangedTool, ToolPins } from './tool-pins.ts';

/** What is told of a tool that waits to be accepted. */
export function toWithheld(changed: ChangedTool): WithheldTool {
  const { name } = changed;
  const reason = `its ${changedParts(changed)} changed since it was accepted: \`toolpost why ${name}\` shows how`;
  return { name, reason, changed };
}

/** Those of a plugin that does not run. A file that cannot be read is told of when it does. */
export function withheldTools(pins: ToolPins): WithheldTool[] {
  try {
    return pins.pending().map(toWithheld);
  } catch {
    return [];
  }
}
