import { formatDuration, type JsonObject, type ToolResult } from '@toolpost/protocol';
import { errorMessage, toToolResult } from '../results/to-tool-result.ts';
import { newToolError } from '../results/tool-results.ts';
import type { ToolCallContext } from '../tool-call-context.ts';
import type { Tool } from './define-tool.ts';

const MAX_CACHED_RESULTS = 1000;

type Run = (input: JsonObject, context: ToolCallContext) => unknown;

/**
 * Ends a call after a time of its own: the tool's signal aborts, and the caller gets an error result at once, whether
 * the tool heeds the signal or not. A time that is not positive returns the tool unchanged.
 */
export function toolTimeout<T extends Tool>(tool: T, timeoutMs: number): T {
  if (!(timeoutMs > 0)) return tool;
  const message = `tool ${tool.name} timed out after ${formatDuration(timeoutMs)}`;
  return wrap(tool, async (run, input, context) => {
    const controller = new AbortController();
    const abortSignal = AbortSignal.any([context.abortSignal, controller.signal]);
    const expired = Promise.withResolvers<ToolResult>();
    const timer = setTimeout(() => {
      controller.abort(new DOMException(message, 'TimeoutError'));
      expired.resolve(newToolError(message));
    }, timeoutMs);
    try {
      return await Promise.race([run(input, withAbortSignal(context, abortSignal)), expired.promise]);
    } finally {
      clearTimeout(timer);
    }
  });
}

/**
 * Calls again what threw, up to `retries` more times, `delayMs` apart. An error result is an answer and is not tried
 * again; nor is anything after an abort. No retries return the tool unchanged.
 */
export function toolRetry<T extends Tool>(tool: T, retries: number, delayMs = 100): T {
  if (!(retries > 0)) return tool;
  return wrap(tool, async (run, input, context) => {
    for (let left = retries; ; left--) {
      try {
        return await run(input, context);
      } catch (error) {
        if (left <= 0 || context.abortSignal.aborted) throw error;
        await delay(delayMs, context.abortSignal);
        if (context.abortSignal.aborted) throw error;
      }
    }
  });
}

/**
 * Keeps successful results for a time and answers the same arguments with them: separately for each tenant, user and
 * set of roots, the last 1000 at most. A time that is not positive returns the tool unchanged.
 */
export function toolCache<T extends Tool>(tool: T, ttlMs: number): T {
  if (!(ttlMs > 0)) return tool;
  const kept = new Map<string, { result: ToolResult; until: number }>();
  return wrap(tool, async (run, input, context) => {
    const { session, roots } = context;
    const key = JSON.stringify([session.tenant, session.user, roots, input]);
    const known = kept.get(key);
    if (known && known.until > performance.now()) return structuredClone(known.result);
    const result = toToolResult(await run(input, context));
    kept.delete(key);
    if (!result.isError) kept.set(key, { result: structuredClone(result), until: performance.now() + ttlMs });
    for (const oldest of kept.keys()) {
      if (kept.size <= MAX_CACHED_RESULTS) break;
      kept.delete(oldest);
    }
    return result;
  });
}

/** Writes the start and the end of each call to the plugin's log. */
export function toolLogging<T extends Tool>(tool: T): T {
  return wrap(tool, async (run, input, context) => {
    const started = performance.now();
    const log = (ending: string, level?: 'warn' | 'error'): void => {
      context.log(`${tool.name} ${ending} after ${formatDuration(Math.round(performance.now() - started))}`, level);
    };
    context.log(`${tool.name} started`);
    try {
      const result = toToolResult(await run(input, context));
      log(result.isError ? 'gave an error result' : 'completed', result.isError ? 'warn' : undefined);
      return result;
    } catch (error) {
      log(`threw "${errorMessage(error)}"`, 'error');
      throw error;
    }
  });
}

function wrap<T extends Tool>(
  tool: T,
  around: (run: Run, input: JsonObject, context: ToolCallContext) => Promise<unknown>,
): T {
  const run: Run = (input, context) => tool.execute(input, context);
  return { ...tool, execute: (input: JsonObject, context: ToolCallContext) => around(run, input, context) };
}

/** The same context with another signal. Its other members may be getters and methods that need their own object. */
function withAbortSignal(context: ToolCallContext, abortSignal: AbortSignal): ToolCallContext {
  return new Proxy(context, {
    get(target, key) {
      if (key === 'abortSignal') return abortSignal;
      const value: unknown = Reflect.get(target, key);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

function delay(ms: number, abortSignal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      abortSignal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    abortSignal.addEventListener('abort', end, { once: true });
  });
}
