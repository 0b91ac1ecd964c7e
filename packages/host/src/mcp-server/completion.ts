import { type ContentRequest, isJsonObject, type JsonObject, quoteValue, type Session } from '@toolpost/protocol';
import type { Exchange } from './exchange.ts';
import { LIST_OPTIONS, type McpParts } from './mcp-parts.ts';
import { findPrompt, textsOf } from './prompts.ts';
import { encodeResult } from './protocol-era.ts';
import { invalidParams, RPC_CODES, RpcError } from './rpc-error.ts';

/** MCP's own bound. */
const MAX_VALUES = 100;

/** Answers `completion/complete`: nothing where the plugin has no values to offer. */
export async function complete(parts: McpParts, params: JsonObject, exchange: Exchange): Promise<string> {
  const { session, abortSignal, era } = exchange;
  const { argument, context } = params;
  if (!isJsonObject(argument) || typeof argument.name !== 'string' || typeof argument.value !== 'string')
    throw invalidParams(`argument has to be {name, value}, got ${quoteValue(argument)}`);
  const { pluginId, ...of } = await referred(parts, params.ref, session);
  const given = textsOf(isJsonObject(context) ? context.arguments : undefined);
  const { name, value } = argument;
  const request: ContentRequest = { kind: 'completion', ...of, argument: name, value, given };
  const offered = pluginId === undefined ? [] : await offeredBy(parts, pluginId, request, { session, abortSignal });
  const values = offered.slice(0, MAX_VALUES);
  return encodeResult(era, { completion: { values, total: offered.length, hasMore: offered.length > values.length } });
}

interface Asker {
  readonly session: Session;
  readonly abortSignal: AbortSignal;
}

async function offeredBy(
  { host }: McpParts,
  pluginId: string,
  request: ContentRequest,
  asker: Asker,
): Promise<string[]> {
  const offered = await host.answerContent(pluginId, request, asker).catch((error: Error) => {
    throw new RpcError(RPC_CODES.internal, `${pluginId} has no completion: ${error.message}`);
  });
  return Array.isArray(offered) ? offered.filter((one) => typeof one === 'string') : [];
}

interface Referred {
  readonly pluginId?: string;
  readonly prompt?: string;
  readonly uriTemplate?: string;
}

/** The prompt or template that a completion is for. @throws RpcError when there is none. */
async function referred(parts: McpParts, ref: unknown, session: Session): Promise<Referred> {
  if (isJsonObject(ref) && ref.type === 'ref/prompt') {
    const { pluginId, declared } = await findPrompt(parts, ref.name, session);
    return { pluginId, prompt: declared.name };
  }
  if (isJsonObject(ref) && ref.type === 'ref/resource' && typeof ref.uri === 'string') {
    for (const { pluginId, content } of await parts.host.listContent(session, LIST_OPTIONS)) {
      if (content.resourceTemplates.some(({ uriTemplate }) => uriTemplate === ref.uri))
        return { pluginId, uriTemplate: ref.uri };
    }
    // A resource without variables, and the template of outputs, which offers nothing.
    return {};
  }
  throw invalidParams(`ref has to name a prompt or a resource, got ${quoteValue(ref)}`);
}
