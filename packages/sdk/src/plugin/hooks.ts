import { type HookAnswer, type HookDeclaration, type HookExtra, isJsonObject, quoteValue } from '@toolpost/protocol';
import { errorMessage } from '../results/to-tool-result.ts';

/** What happened, as a hook sees it: section 10 of the reference. Unset texts are "". */
export interface HookEvent {
  readonly event: string;
  readonly toolName: string;
  /** JSON text of the arguments. */
  readonly toolInput: string;
  /** At most 8192 bytes: of the tool's result, or of the agent's last words (`AgentStop`). */
  readonly toolOutput?: string;
  readonly toolElapsedMs?: number;
  /** What the user said: `UserPromptSubmit`. */
  readonly prompt?: string;
  /**
   * What brought it about: `new` or `resumed` (`SessionStart`), `closed` or `deleted` (`SessionEnd`), how the turn ended
   * (`AgentStop`: `completed`, `cancelled`, `max-steps`, `loop` or `error`), `asked` or `too-long` (`PreCompact`, `PostCompact`).
   */
  readonly reason?: string;
  /** Of the session, beside calls: its model, what that takes, and the tokens of the turn (`AgentStop`). */
  readonly extra?: HookExtra;
  readonly session: {
    readonly id: string;
    readonly channel: string;
    readonly chatId: string;
    readonly tenant: string;
    readonly user: string;
  };
}

/** Answers an event; nothing means allow. A throw denies when the hook fails closed, else the hook is skipped. */
export type HookHandler = (
  event: HookEvent,
  abortSignal: AbortSignal,
) => HookAnswer | undefined | undefined | Promise<HookAnswer | undefined | undefined>;

export interface PluginHook extends HookDeclaration {
  handler: HookHandler;
}

/** A handler that always denies (seed A: DenyHook). */
export function denyHook(message: string): HookHandler {
  return () => ({ decision: 'deny', message });
}

/** A handler that always allows (seed A: AllowHook). */
export function allowHook(): HookHandler {
  return () => ({ decision: 'allow' });
}

/** A handler that logs and allows (seed A: LogHook). */
export function logHook(log: (message: string) => void, message: string): HookHandler {
  return ({ event, toolName }) => {
    log(`${message}: ${event} ${toolName}`.trimEnd());
    return { decision: 'allow' };
  };
}

/** Whether a hook's matcher takes a tool: absent, empty and `*` take all; `p*`, `*s`, `*mid*` and exact names. */
export function matchesTool(matcher: string | undefined, toolName: string): boolean {
  if (!matcher || matcher === '*' || toolName === '') return true;
  const isOpenLeft = matcher.startsWith('*');
  const isOpenRight = matcher.endsWith('*');
  const core = matcher.slice(isOpenLeft ? 1 : 0, isOpenRight ? -1 : undefined);
  if (isOpenLeft && isOpenRight) return toolName.includes(core);
  if (isOpenLeft) return toolName.endsWith(core);
  return isOpenRight ? toolName.startsWith(core) : toolName === core;
}

const STRICTNESS = { deny: 4, ask: 3, defer: 2, allow: 1 } as const;

/**
 * Runs one plugin's handlers for an event, in their order, and joins the answers: deny > ask > defer > allow, the
 * first of equals, the first changed input. A deny ends it. A failing hook that fails closed denies.
 * @throws what a handler threw that does not fail closed, unless another answer is stricter than allow: the host
 * decides by the manifest.
 */
export async function runHooks(
  hooks: readonly PluginHook[],
  event: HookEvent,
  abortSignal: AbortSignal,
): Promise<HookAnswer> {
  let strictest: HookAnswer | undefined;
  let updatedInput: HookAnswer['updatedInput'];
  const failures: unknown[] = [];
  for (const hook of hooks) {
    if (hook.event !== event.event || !matchesTool(hook.matcher, event.toolName)) continue;
    const answer = await runHook(hook, event, abortSignal).catch((error: unknown) => void failures.push(error));
    if (!answer) continue;
    if (answer.decision === 'deny') return answer;
    updatedInput ??= answer.updatedInput;
    if (!strictest || STRICTNESS[answer.decision] > STRICTNESS[strictest.decision]) strictest = answer;
  }
  const joined: HookAnswer = strictest ?? { decision: 'allow' };
  if (failures.length > 0 && joined.decision === 'allow') throw failures[0];
  return updatedInput ? { ...joined, updatedInput } : joined;
}

async function runHook(hook: PluginHook, event: HookEvent, abortSignal: AbortSignal): Promise<HookAnswer> {
  try {
    const answer = (await hook.handler(event, abortSignal)) ?? { decision: 'allow' };
    if (!Object.hasOwn(STRICTNESS, answer.decision)) {
      throw new TypeError(`its decision must be allow, defer, ask or deny, got ${quoteValue(answer.decision)}`);
    }
    if (answer.updatedInput !== undefined && !isJsonObject(answer.updatedInput)) {
      throw new TypeError(`its updatedInput must be an object, got ${quoteValue(answer.updatedInput)}`);
    }
    return answer;
  } catch (error) {
    if (!hook.failClosed) throw error;
    return { decision: 'deny', message: `the ${event.event} hook failed: ${errorMessage(error)}` };
  }
}
