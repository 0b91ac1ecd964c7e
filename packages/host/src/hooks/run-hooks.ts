import { HostError, messageOf } from '@toolpost/protocol';
import type { TextGlob } from '../permissions/text-glob.ts';
import { isForPerson, type Person } from '../registry/audience.ts';
import type { PluginEntry } from '../registry/registered-tool.ts';
import type { HookAnswer, HookEvent, HookOffer } from '../runtimes/runtime.ts';
import { settleAnswer } from './hook-answer.ts';
import { compileHookMatcher } from './hook-matcher.ts';
import { type HookReply, type HookVerdict, judgeReplies, NO_HOOKS } from './hook-verdict.ts';

export interface PluginHook extends HookOffer {
  /** The signal aborts when the call is cancelled or the hook's time is over. */
  run(event: HookEvent, abortSignal: AbortSignal): Promise<HookAnswer>;
}

/** Whose hooks they are: its place among the plugins, and those whose calls it may see. */
export type HookOwner = Pick<PluginEntry, 'id' | 'order' | 'tenants' | 'users'>;

/** A hook for people to see. */
export interface HookListing {
  readonly plugin: string;
  readonly event: string;
  /** `*` for every tool. */
  readonly matcher: string;
  readonly failClosed: boolean;
}

export interface HookRunner {
  /**
   * Replaces all hooks of the plugin. Its order decides whose `updatedInput` wins, however late it was loaded.
   * @throws HostError PLUGIN_LOAD_FAILED that names a matcher which cannot be read; the earlier hooks stay then.
   */
  setPluginHooks(owner: HookOwner, hooks: readonly PluginHook[]): void;
  removePlugin(pluginId: string): void;
  /** Whether `run` would ask anyone of any tenant; free to call. */
  hasHooks(event: string, toolName: string): boolean;
  /** All hooks in the order of the plugins, or those that hear of somebody's calls of a tool. */
  list(concerned?: { readonly toolName: string; readonly person: Person }): readonly HookListing[];
  /**
   * Asks all matching hooks at once and waits for each, at most `timeoutMs`; the runner's own limit when absent. Never
   * rejects. When the caller aborts meanwhile, it gets a deny at once, and no warning: no hook has failed.
   */
  run(event: HookEvent, abortSignal?: AbortSignal, timeoutMs?: number): Promise<HookVerdict>;
}

export interface HookRunnerOptions {
  /** How long one hook may take. 10 s when absent. */
  readonly timeoutMs?: number;
}

const DEFAULT_TIMEOUT_MS = 10_000;
/** More than any catalogue; beyond it the cache starts anew. */
const MAX_CACHED_NAMES = 20_000;

const TOOL_EVENTS = ['PreToolUse', 'PostToolUse', 'PostToolUseFailure'];
/** Those that tell of what has not happened yet; a deny of any other changes nothing. */
const DENIABLE_EVENTS = ['PreToolUse', 'UserPromptSubmit', 'SessionStart', 'PreCompact'];

interface Registered {
  readonly owner: HookOwner;
  readonly hook: PluginHook;
  readonly matches: TextGlob;
}

type HookFinder = (toolName: string) => readonly Registered[];

export function createHookRunner(runnerOptions: HookRunnerOptions = {}): HookRunner {
  const plugins = new Map<string, readonly Registered[]>();
  let byEvent = new Map<string, HookFinder>();

  const inOrder = () => [...plugins.values()].flat().sort(byOwner);
  const changed = () => {
    const all = inOrder();
    byEvent = new Map(
      [...Map.groupBy(all, ({ hook }) => hook.event)].map(([name, hooks]) => [name, createHookFinder(hooks)]),
    );
  };

  return {
    setPluginHooks(owner, hooks) {
      plugins.set(
        owner.id,
        hooks.map((hook) => registered(owner, hook)),
      );
      changed();
    },
    removePlugin(pluginId) {
      if (plugins.delete(pluginId)) changed();
    },
    hasHooks: (event, toolName) => (byEvent.get(event)?.(toolName).length ?? 0) > 0,
    list(concerned) {
      const hears = ({ owner, hook, matches }: Registered) =>
        !concerned ||
        (TOOL_EVENTS.includes(hook.event) && matches(concerned.toolName) && isForPerson(owner, concerned.person));
      return inOrder().filter(hears).map(toListing);
    },
    async run(event, abortSignal, timeoutMs = runnerOptions.timeoutMs ?? DEFAULT_TIMEOUT_MS) {
      const matching = byEvent.get(event.event)?.(event.toolName) ?? [];
      const asked = matching.filter(({ owner }) => isForPerson(owner, event.session));
      if (asked.length === 0) return NO_HOOKS;
      return judgeReplies(await Promise.all(asked.map((one) => askHook(one, event, { timeoutMs, abortSignal }))));
    },
  };
}

/** Finds the hooks of one event that concern a tool, and keeps what it found. An event without a tool concerns all. */
function createHookFinder(hooks: readonly Registered[]): HookFinder {
  const byTool = new Map<string, readonly Registered[]>();
  return (toolName) => {
    if (toolName === '') return hooks;
    const known = byTool.get(toolName);
    if (known) return known;
    if (byTool.size >= MAX_CACHED_NAMES) byTool.clear();
    const found = hooks.filter(({ matches }) => matches(toolName));
    byTool.set(toolName, found);
    return found;
  };
}

function registered(owner: HookOwner, hook: PluginHook): Registered {
  try {
    return { owner, hook, matches: compileHookMatcher(hook.matcher) };
  } catch (error) {
    const why = messageOf(error);
    const message = `plugin ${owner.id}: the matcher "${hook.matcher}" of its ${hook.event} hook cannot be read: ${why}`;
    throw new HostError('PLUGIN_LOAD_FAILED', message, { cause: error, pluginId: owner.id });
  }
}

function toListing({ owner, hook }: Registered): HookListing {
  const matcher = (hook.matcher ?? '').trim();
  return {
    plugin: owner.id,
    event: hook.event,
    matcher: matcher === '' ? '*' : matcher,
    failClosed: hook.failClosed === true,
  };
}

function byOwner({ owner: a }: Registered, { owner: b }: Registered): number {
  if (a.id === b.id) return 0;
  return a.order - b.order || (a.id < b.id ? -1 : 1);
}

interface AskOptions {
  readonly timeoutMs: number;
  readonly abortSignal: AbortSignal | undefined;
}

const CANCELLED: HookReply = { answer: { decision: 'deny', message: 'the call was cancelled' } };

async function askHook({ owner, hook }: Registered, event: HookEvent, options: AskOptions): Promise<HookReply> {
  const { timeoutMs, abortSignal } = options;
  if (abortSignal?.aborted) return CANCELLED;
  const controller = new AbortController();
  const stopped = Promise.withResolvers<HookReply>();
  const failed = (why: string): HookReply => {
    const denies = hook.failClosed === true && DENIABLE_EVENTS.includes(hook.event);
    const fate = denies ? 'so it denies' : 'so it was skipped';
    return { failure: `the ${hook.event} hook of plugin ${owner.id} failed, ${fate}: ${why}`, denies };
  };
  const stop = (reply: HookReply) => {
    stopped.resolve(reply);
    controller.abort();
  };
  const onAbort = () => stop(CANCELLED);
  abortSignal?.addEventListener('abort', onAbort, { once: true });
  const timer = setTimeout(() => stop(failed(`it did not answer within ${timeoutMs} ms`)), timeoutMs);
  try {
    return await Promise.race([
      answerOf(hook, event, controller.signal).catch((error) => failed(messageOf(error))),
      stopped.promise,
    ]);
  } finally {
    clearTimeout(timer);
    abortSignal?.removeEventListener('abort', onAbort);
  }
}

async function answerOf(hook: PluginHook, event: HookEvent, abortSignal: AbortSignal): Promise<HookReply> {
  return { answer: settleAnswer(await hook.run(event, abortSignal)) };
}
