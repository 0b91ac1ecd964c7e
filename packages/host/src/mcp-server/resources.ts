import { type JsonObject, quoteValue } from '@toolpost/protocol';
import type { Exchange } from './exchange.ts';
import type { McpParts } from './mcp-parts.ts';
import { OUTPUT_TEMPLATE, readOutput } from './output-resources.ts';
import { type Era, encodeResult } from './protocol-era.ts';
import { invalidParams, RPC_CODES, RpcError } from './rpc-error.ts';
import { listUiResources, readUiResource } from './ui-resources.ts';

/** Answers `resources/list`. Whole outputs are not listed: the results link to them. */
export async function listResources({ host }: McpParts, _params: JsonObject, exchange: Exchange): Promise<string> {
  const { era, session } = exchange;
  return encodeResult(era, { resources: listUiResources(await host.listTools(session)) }, true);
}

export function listTemplates(_parts: McpParts, _params: JsonObject, { era }: Exchange): string {
  return encodeResult(era, { resourceTemplates: [OUTPUT_TEMPLATE] }, true);
}

/** Answers `resources/read`. @throws RpcError that names the URI when there is nothing under it. */
export async function readResource({ host }: McpParts, { uri }: JsonObject, exchange: Exchange): Promise<string> {
  const { era, session } = exchange;
  if (typeof uri !== 'string') throw invalidParams(`uri has to be text, got ${quoteValue(uri)}`);
  const found = (await readOutput(uri, host.homeDir, session)) ?? readUiResource(await host.listTools(session), uri);
  if (!found) throw noResource(uri, era);
  return encodeResult(era, { contents: [found] }, true);
}

function noResource(uri: string, era: Era): RpcError {
  const code = era === 'session' ? RPC_CODES.resourceNotFound : RPC_CODES.invalidParams;
  return new RpcError(code, `there is no resource ${quoteValue(uri)} in this session`, { uri });
}
