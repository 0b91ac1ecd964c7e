import { isJsonObject, type JsonObject } from '@toolpost/protocol';
import { parseJsonText } from '../settings/parse-json-text.ts';
import { stripComments } from './strip-comments.ts';

/** The servers of another client's file, as they stand in it. */
export interface ClientServers {
  readonly servers: readonly (readonly [id: string, entry: unknown])[];
  /** What else is there that is not looked at. */
  readonly notes: readonly string[];
}

/** Where clients keep their servers, and which do. */
const PLACES = [
  { path: ['mcpServers'], clients: 'Claude Desktop, Claude Code, Cursor, Windsurf, Cline, Gemini CLI' },
  { path: ['servers'], clients: 'VS Code (mcp.json)' },
  { path: ['mcp', 'servers'], clients: 'VS Code (settings.json)' },
  { path: ['mcp'], clients: 'opencode' },
] as const;

/**
 * Reads the servers of another client's configuration.
 * @throws Error that says what is wrong with the file, or where servers are looked for.
 */
export function readClientFile(text: string): ClientServers {
  const parsed = parseJsonText(stripComments(text));
  if ('problem' in parsed) throw new Error(`it is ${parsed.problem}`);
  const file = parsed.value;
  for (const { path } of PLACES) {
    const found = at(file, path);
    if (found) return { servers: Object.entries(found), notes: notesOf(file) };
  }
  const known = PLACES.map(({ path, clients }) => `${path.join('.')} (${clients})`).join(', ');
  throw new Error(`it has no MCP servers; they are looked for in ${known}`);
}

function at(value: unknown, path: readonly string[]): JsonObject | undefined {
  const found = path.reduce<unknown>((inner, key) => (isJsonObject(inner) ? inner[key] : undefined), value);
  return isJsonObject(found) ? found : undefined;
}

/** Claude Code keeps servers for single projects in the same file. */
function notesOf(file: unknown): string[] {
  const projects = at(file, ['projects']) ?? {};
  const own = Object.entries(projects).filter(
    ([, project]) => Object.keys(at(project, ['mcpServers']) ?? {}).length > 0,
  );
  return own.map(([dir]) => `the servers of the project ${dir} are not taken: put them into its .mcp.json`);
}
