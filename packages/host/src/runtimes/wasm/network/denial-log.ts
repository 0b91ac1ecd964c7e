/** Different denials of one instance that get a line; a guest chooses what it asks for. */
const MAX_LINES = 50;

/** Tells the plugin's log once about each thing that was denied, and what would allow it. */
export interface DenialLog {
  /** `what` is what was tried, as in `a connection to 10.0.0.1:80`; `entry` is what allows it, if anything does. */
  denied(what: string, entry: string | undefined, why?: string): void;
}

export function createDenialLog(pluginId: string, log: (message: string) => void): DenialLog {
  const told = new Set<string>();
  return {
    denied(what, entry, why) {
      if (told.size >= MAX_LINES || told.has(what)) return;
      told.add(what);
      const remedy = entry === undefined ? '' : `; ${JSON.stringify(entry)} in toolPolicy.${pluginId}.hosts allows it`;
      log(`denied: ${what}${why === undefined ? '' : `: ${why}`}${remedy}`);
      if (told.size === MAX_LINES) log('more that the network policy denies is not listed');
    },
  };
}
