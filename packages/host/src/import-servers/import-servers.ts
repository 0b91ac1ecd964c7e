import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { HostError, isJsonObject, type JsonObject, messageOf } from '@toolpost/protocol';
import { openHomeDir } from '../settings/home-dir.ts';
import { parseJsonText } from '../settings/parse-json-text.ts';
import { readSettingsText } from '../settings/read-settings-text.ts';
import { writePrivateFile } from '../settings/write-private-file.ts';
import { readClientFile } from './read-client-file.ts';
import { type ServerEntry, toServerEntry } from './to-server-entry.ts';

export interface ImportOptions {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Takes the place of the home's config.json. */
  readonly configFile?: string | undefined;
}

/** What became of the servers of a file. */
export interface ImportReport {
  /** Where they stand now. */
  readonly configFile: string;
  readonly taken: readonly ServerEntry[];
  readonly notTaken: readonly { readonly id: string; readonly reason: string }[];
  readonly notes: readonly string[];
}

/**
 * Takes the MCP servers of another client's file into the configuration. What stands there already stays; nothing is
 * started.
 * @throws HostError CONFIG_INVALID for a file that cannot be read, on either side.
 */
export async function importServers(file: string, options: ImportOptions): Promise<ImportReport> {
  const { servers, notes } = reading(file, () => readClientFile(readFileSync(file, 'utf8')));
  const homeDir = await openHomeDir(options.environment);
  const configFile = resolve(options.configFile ?? join(homeDir, 'config.json'));
  const config = readConfig(configFile);
  const known = isJsonObject(config.mcpServers) ? config.mcpServers : {};
  const taken: ServerEntry[] = [];
  const notTaken: { id: string; reason: string }[] = [];
  for (const [name, value] of servers) {
    try {
      const server = toServerEntry(name, value);
      checkNew(server, [...Object.entries(known), ...taken.map(({ id, entry }) => [id, entry] as const)]);
      taken.push(server);
    } catch (error) {
      notTaken.push({ id: name, reason: messageOf(error) });
    }
  }
  const mcpServers = { ...known, ...Object.fromEntries(taken.map(({ id, entry }) => [id, entry])) };
  if (taken.length > 0) write(configFile, { ...config, mcpServers });
  return { configFile, taken, notTaken, notes };
}

function checkNew({ id, entry }: ServerEntry, known: readonly (readonly [string, unknown])[]): void {
  const [, other] = known.find(([other]) => other.toLowerCase() === id.toLowerCase()) ?? [];
  if (other === undefined) return;
  const isSame = isDeepStrictEqual(other, entry);
  throw new Error(isSame ? 'it is there already' : `there is another server "${id}" already, which stays as it is`);
}

function readConfig(file: string): JsonObject {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {};
    throw new HostError('CONFIG_INVALID', `${file} cannot be read: ${String(error)}`, { cause: error });
  }
  readSettingsText(text, file);
  const parsed = parseJsonText(text);
  return 'value' in parsed && isJsonObject(parsed.value) ? parsed.value : {};
}

/** Never leaves a configuration behind that no host can read. */
function write(file: string, config: JsonObject): void {
  const text = `${JSON.stringify(config, null, 2)}\n`;
  readSettingsText(text, file);
  writePrivateFile(file, text);
}

function reading<T>(file: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    const reason = messageOf(cause);
    throw new HostError('CONFIG_INVALID', `${file} cannot be imported: ${reason}`, { cause });
  }
}
