import type { EventBody, Session, ToolDefinition } from '@toolpost/protocol';
import type { HistoryMessage } from './agent/history.ts';
import { runTurn, type TurnResult } from './agent/run-turn.ts';
import { systemPrompt } from './agent/system-prompt.ts';
import type { Approver } from './call-path/approver.ts';
import type { Ask } from './call-path/call-context.ts';
import type { Host } from './host.ts';
import { resolveModel } from './models/resolve-model.ts';
import { createWireNames } from './registry/wire-names.ts';

/** Offered to a model at once when the configuration does not say: the smallest limit among providers is 128. */
const DEFAULT_MAX_TOOLS = 128;

export interface AgentOptions {
  readonly host: Host;
  readonly session: Session;
  /** A model specification; the configuration's `model`, else `demo`, when absent. */
  readonly model?: string | undefined;
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** The conversation so far. */
  readonly history?: readonly HistoryMessage[];
}

export interface AgentTurnOptions {
  readonly abortSignal: AbortSignal;
  readonly onEvent: (event: EventBody) => void;
  /** Answers permission questions; without it an unanswered one is a deny. */
  readonly approve?: Approver | undefined;
  readonly ask?: Ask | undefined;
  /** Shortens the limit of each call, in ms. */
  readonly timeoutMs?: number | undefined;
}

/** An agent in one session: a model, the session's tools, and the conversation between them. */
export interface Agent {
  readonly model: string;
  /** Runs one turn. Never rejects for what a model or a tool did: its events and its reason say it. */
  turn(text: string, options: AgentTurnOptions): Promise<TurnResult>;
}

/** @throws HostError MODEL_FAILED for a model that is unknown or lacks its key. */
export async function createAgent(options: AgentOptions): Promise<Agent> {
  const { host, session, environment = process.env } = options;
  const spec = options.model ?? host.settings.model ?? 'demo';
  const model = await resolveModel(spec, { environment });
  let history: readonly HistoryMessage[] = options.history ?? [];
  return {
    model: spec,
    async turn(text, { abortSignal, onEvent, ...callOptions }) {
      const snapshot = await host.listTools(session);
      const tools = offered(snapshot.definitions, host.settings.maxTools ?? DEFAULT_MAX_TOOLS, onEvent);
      const result = await runTurn({
        model,
        history,
        text,
        tools,
        wireNames: createWireNames(tools.map(({ name }) => name)),
        systemPrompt: systemPrompt({ roots: session.roots, instructions: host.projectInstructions }),
        callTool: (call, round) => host.callTool(call, session, { ...callOptions, ...round, snapshot }),
        abortSignal,
        onEvent,
      });
      history = result.messages;
      return result;
    },
  };
}

function offered(
  definitions: readonly ToolDefinition[],
  maxTools: number,
  onEvent: (event: EventBody) => void,
): readonly ToolDefinition[] {
  if (definitions.length <= maxTools) return definitions;
  const left = definitions.length - maxTools;
  const message = `the model is offered ${maxTools} of ${definitions.length} tools, the first by name: ${left} are left out. Disable plugins, or raise "maxTools" in the configuration as far as the model takes it.`;
  onEvent({ type: 'warning', message });
  return definitions.slice(0, maxTools);
}
