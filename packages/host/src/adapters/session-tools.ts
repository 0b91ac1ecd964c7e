import { randomUUID } from 'node:crypto';
import { type CallRecord, type JsonObject, messageOf, type Session } from '@toolpost/protocol';
import { toWireTools } from '../agent/wire-tools.ts';
import type { CallOptions } from '../call-path/call-options.ts';
import type { Host } from '../host.ts';
import { FAMILY_FACTS, type ProviderFamily } from '../models/schemas/provider-family.ts';
import { offeredTools } from '../offered-tools.ts';
import { createWireNames } from '../registry/wire-names.ts';

/** How the calls of a model are made; the questions are answered as in `callTool`. */
export interface AdapterOptions extends Pick<CallOptions, 'abortSignal' | 'approve' | 'ask' | 'onEvent' | 'timeoutMs'> {
  /** At most so many tools; the configuration's `maxTools`, else what the provider takes, when absent. */
  readonly maxTools?: number | undefined;
}

/** One tool as a model is told of it: a name and a schema that its provider takes. */
export interface OfferedTool {
  readonly name: string;
  readonly description: string;
  readonly schema: JsonObject;
}

/** A call as a model asks for it. `arguments` is the text that it wrote. */
export interface ModelCall {
  readonly id?: string | undefined;
  readonly name: string;
  readonly arguments: string;
}

/** What one session offers to the models of one family, as it is now. */
export interface SessionTools {
  readonly tools: readonly OfferedTool[];
  /** Why tools are left out, one sentence each. */
  readonly warnings: readonly string[];
  /** Makes a call of one of `tools`, also when the tools of the session have changed since. Never rejects. */
  call(call: ModelCall, options?: Pick<CallOptions, 'abortSignal'>): Promise<CallRecord>;
}

/** The text of arguments that an SDK has read already. What no JSON can hold is text that the call path refuses in words. */
export function argumentsText(input: unknown): string {
  try {
    return JSON.stringify(input ?? {}) ?? String(input);
  } catch (error) {
    return `arguments that are not JSON: ${messageOf(error)}`;
  }
}

/** The tools of a session with names and schemas for one family of providers, and the way back for calls. */
export async function sessionTools(
  host: Host,
  session: Session,
  { family, maxTools, ...callOptions }: AdapterOptions & { readonly family: ProviderFamily },
): Promise<SessionTools> {
  const snapshot = await host.listTools(session);
  const chosen = offeredTools(snapshot, maxTools ?? host.settings.maxTools ?? FAMILY_FACTS[family].maxTools);
  const names = createWireNames(chosen.tools.map(({ name }) => name));
  const wire = toWireTools(chosen.tools, names, family);
  return {
    tools: wire.tools.map(({ name, description = '', inputSchema }) => ({
      ...{ name, description, schema: inputSchema as JsonObject },
    })),
    warnings: [...chosen.warnings, ...wire.warnings],
    async call({ id = `call-${randomUUID()}`, name: given, arguments: raw }, options) {
      // Programs without types, and calls of other kinds than a function's.
      const wireName = String(given ?? '');
      const name = names.fromWire(wireName);
      const call = { id, name, arguments: wire.toToolArguments(name, raw) };
      return host.callTool(call, session, { ...callOptions, ...options, snapshot });
    },
  };
}
