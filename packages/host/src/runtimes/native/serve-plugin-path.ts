import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The program of serve-plugin.ts: compiled and in the command's bundle it lies beside this code; else it is the source. */
export function servePluginPath(): string {
  const compiled = fileURLToPath(new URL('./serve-plugin.js', import.meta.url));
  return existsSync(compiled) ? compiled : fileURLToPath(new URL('./serve-plugin.ts', import.meta.url));
}
