import type { CallRecord, JsonObject } from '@toolpost/protocol';
import type { CalledTool } from '@toolpost/sdk';
import type { Sender } from '../bus/event-bus.ts';
import type { Approver } from './approver.ts';
import type { Ask } from './ask-form.ts';
import type { CallInProgress, CallPath, ReadyCall } from './call-in-progress.ts';
import type { CallOptions, CallTool } from './call-options.ts';

/** Calls that stand above one another; more is a circle of tools that call each other. */
const MAX_DEPTH = 8;

/** What a running call can do beyond itself, through the host that runs it. */
export interface BeyondCall {
  /** Runs a call to its end, and starts first what its name needs. Set by the host that the path belongs to. */
  callTool: CallTool;
  /** @throws Error that says why it was not published. */
  publish(sender: Sender, topic: string, data: unknown): void;
}

/** The tool in whose name another one is called. */
export interface Caller {
  readonly plugin: string;
  readonly tool: string;
  /** How many calls stand above the one that it makes. */
  readonly depth: number;
}

export interface Outgoing {
  readonly name: string;
  readonly input: JsonObject;
  /** Unique among the calls that this one makes. */
  readonly number: number;
  /** What a person is asked meanwhile stops the clock of this call too. */
  readonly waitingFor: <T>(question: () => Promise<T>) => Promise<T>;
  readonly abortSignal: AbortSignal;
}

type Running = { readonly path: CallPath; readonly progress: CallInProgress; readonly ready: ReadyCall };

/**
 * Calls a tool in the name of a call's session: the whole path again, with its permissions and limits.
 * @throws Error when the plugin may not, or the calls stand too deep.
 */
export async function callFromTool({ path, progress, ready }: Running, outgoing: Outgoing): Promise<CalledTool> {
  const { plugin, definition } = ready.tool;
  const { name, input, number } = outgoing;
  const depth = (progress.options.caller?.depth ?? 0) + 1;
  if (!plugin.runner.services.permits('tools.call'))
    throw new Error(`plugin ${plugin.id}: calling ${name} needs the permission "tools.call" in its plugin.json`);
  if (depth > MAX_DEPTH)
    throw new Error(`${name} was not called: ${MAX_DEPTH} calls stand above it, as tools call each other in a circle`);
  if (!path.beyond) throw new Error(`${name} was not called: here a tool cannot call others`);
  const call = { id: `${progress.call.id}.${number}`, name: String(name), arguments: JSON.stringify(input ?? {}) };
  const caller: Caller = { plugin: plugin.id, tool: definition.name, depth };
  return toCalledTool(await path.beyond.callTool(call, progress.session, optionsFor(progress, caller, outgoing)));
}

/** It is the plugin's act, never the user's own, whoever made the call above. */
function optionsFor({ options }: CallInProgress, caller: Caller, { waitingFor, abortSignal }: Outgoing): CallOptions {
  const { approve, ask, requestClient, onEvent, onLog, snapshot, ignoresRemembered } = options;
  return {
    ...{ caller, abortSignal, onEvent, onLog, snapshot, ignoresRemembered },
    approve: approve && within<Approver>((...given) => waitingFor(() => approve(...given)), approve),
    ask: ask && within<Ask>((...given) => waitingFor(() => ask(...given)), ask),
    requestClient: requestClient && ((request) => waitingFor(() => requestClient(request))),
  };
}

function within<Asks extends Approver | Ask>(asks: Asks, { timeoutMs }: { readonly timeoutMs?: number }): Asks {
  return timeoutMs === undefined ? asks : Object.assign(asks, { timeoutMs });
}

function toCalledTool({ outcome, content, structuredContent, isError, metadata, text }: CallRecord): CalledTool {
  return {
    ...{ outcome, text, content, isError },
    ...(structuredContent !== undefined && { structuredContent }),
    ...(metadata !== undefined && { metadata }),
  };
}

/** Tells the other plugins of the call's tenant something. @throws Error */
export function publishFromTool({ path, progress, ready }: Running, topic: string, data: unknown): void {
  const { id, runner } = ready.tool.plugin;
  if (!path.beyond) throw new Error('nothing was published: there is no bus here');
  const { tenant } = progress.session;
  path.beyond.publish({ pluginId: id, tenant, depth: 0, permits: runner.services.permits }, topic, data);
}
