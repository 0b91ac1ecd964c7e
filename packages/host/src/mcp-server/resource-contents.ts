import { isJsonObject, type JsonObject, quoteValue } from '@toolpost/protocol';
import { RPC_CODES, RpcError } from './rpc-error.ts';

/** As much as one message of a plugin's process may have. */
const MAX_CHARACTERS = 16 * 1024 * 1024;

/**
 * What a plugin gave for a resource, as MCP's contents.
 * @throws RpcError that says what is wrong with it.
 */
export function toResourceContents(value: unknown, uri: string, mimeType: string | undefined): JsonObject[] {
  const contents = Array.isArray(value)
    ? value.map((one) => toContents(one, uri, mimeType))
    : [toContents(value, uri, mimeType)];
  const length = contents.reduce((sum, { text, blob }) => sum + String(text ?? blob).length, 0);
  if (length > MAX_CHARACTERS) throw wrong(uri, `it has ${length} characters, more than a message may have`);
  return contents;
}

function toContents(value: unknown, uri: string, mimeType: string | undefined): JsonObject {
  const common = { uri, ...(mimeType !== undefined && { mimeType }) };
  if (typeof value === 'string') return { ...common, text: value.toWellFormed() };
  if (value instanceof Uint8Array) return { ...common, blob: Buffer.from(value).toString('base64') };
  if (!isJsonObject(value)) throw wrong(uri, `the plugin gave ${quoteValue(value)}`);
  const { text, blob, uri: own = uri, mimeType: ownType = mimeType } = value;
  const named = { uri: String(own), ...(ownType !== undefined && { mimeType: String(ownType) }) };
  if (typeof text === 'string') return { ...named, text: text.toWellFormed() };
  if (blob instanceof Uint8Array) return { ...named, blob: Buffer.from(blob).toString('base64') };
  if (typeof blob === 'string') return { ...named, blob };
  throw wrong(uri, `the plugin gave contents without text or blob: ${quoteValue(value)}`);
}

function wrong(uri: string, reason: string): RpcError {
  return new RpcError(RPC_CODES.internal, `${uri} could not be read: ${reason}`, { uri });
}
