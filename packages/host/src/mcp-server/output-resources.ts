import { readFile, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { CallRecord, ContentBlock, JsonObject, Session } from '@toolpost/protocol';
import { outputFolder } from '../settings/file-names.ts';
import { RPC_CODES, RpcError } from './rpc-error.ts';

const SCHEME = 'toolpost://outputs/';
/** More in one message helps no client: `read` and `grep` open the file in parts. */
const MAX_RESOURCE_BYTES = 8 * 1024 * 1024;

/** What clients are told of the resources that are the whole texts of capped results. */
export const OUTPUT_TEMPLATE: JsonObject = {
  uriTemplate: `${SCHEME}{file}`,
  name: 'toolpost-outputs',
  title: 'Whole outputs of calls',
  description: 'The whole text of a result that was too large to be sent. The result links to it.',
};

/** Links to the files that hold what was cut from a result. */
export function outputLinks({ metadata }: CallRecord, homeDir: string, session: Session): ContentBlock[] {
  if (!metadata) return [];
  const { fullOutput, fullStructuredContent } = metadata;
  return [
    ...linkTo(fullOutput, 'The whole output', 'text/plain', outputFolder(homeDir, session)),
    ...linkTo(
      fullStructuredContent,
      'The whole structured content',
      'application/json',
      outputFolder(homeDir, session),
    ),
  ];
}

function linkTo(path: unknown, title: string, mimeType: string, folder: string): ContentBlock[] {
  if (typeof path !== 'string' || dirname(path) !== folder) return [];
  const name = basename(path);
  return [{ type: 'resource_link', uri: SCHEME + encodeURIComponent(name), name, title, mimeType }];
}

/**
 * Reads the output that a URI names, of this session alone; undefined for a URI of another kind.
 * @throws RpcError when it is gone or too large for a message.
 */
export async function readOutput(uri: string, homeDir: string, session: Session): Promise<JsonObject | undefined> {
  if (!uri.startsWith(SCHEME)) return undefined;
  const name = decoded(uri.slice(SCHEME.length));
  // The names of output files; nothing that leads elsewhere.
  if (name === undefined || !/^[\w.-]+\.(txt|json)$/.test(name) || name.startsWith('.')) return undefined;
  const path = join(outputFolder(homeDir, session), name);
  const { size } = await stat(path).catch(() => ({ size: -1 }));
  if (size === -1) return undefined;
  if (size > MAX_RESOURCE_BYTES) {
    throw new RpcError(
      RPC_CODES.internal,
      `${uri} has ${size} bytes, too many for one message: call the tool read or grep with ${path}`,
    );
  }
  const mimeType = name.endsWith('.json') ? 'application/json' : 'text/plain';
  return { uri, mimeType, text: await readFile(path, 'utf8') };
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
