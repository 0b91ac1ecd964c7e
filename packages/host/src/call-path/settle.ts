import { MAX_UI_CODE_CHARS, type Outcome, quoteValue, type ToolResult } from '@toolpost/protocol';
import { errorMessage, toToolResult } from '@toolpost/sdk';
import type { RegisteredTool } from '../registry/registered-tool.ts';
import { PluginCrash, ToolTimedOut } from '../runtimes/runtime.ts';
import { CallStopped } from './call-stopped.ts';
import { textResult } from './text-result.ts';
import { thrownAt } from './thrown-at.ts';

/** How a call ended, with what the model and the clients get of it. */
export interface Settled {
  readonly outcome: Outcome;
  readonly result: ToolResult;
}

/** Whatever a tool returned, as a result. An error result is the outcome `failed`. */
export function settleValue(value: unknown): Settled {
  const result = toToolResult(value);
  if (result.metadata?.ui_code !== undefined) assertDrawable(result.metadata.ui_code);
  return { outcome: result.isError ? 'failed' : 'completed', result };
}

/** @throws CallStopped for an interface that no client can show. */
export function assertDrawable(uiCode: unknown): void {
  if (typeof uiCode !== 'string')
    throw new CallStopped(
      'failed',
      `The tool drew something that is no code: ui_code must be text, got ${quoteValue(uiCode)}.`,
    );
  if (uiCode.length <= MAX_UI_CODE_CHARS) return;
  throw new CallStopped(
    'failed',
    `The interface that the tool drew is ${uiCode.length} characters long, and at most ${MAX_UI_CODE_CHARS} are shown. Draw it with less data in it.`,
  );
}

/** Whatever a step or a tool threw, as a result whose text says what to do next. */
export function settleFailure(error: unknown, tool: RegisteredTool | undefined): Settled {
  try {
    return settleError(error, tool);
  } catch {
    // What was thrown may throw again when it is read.
    return { outcome: 'failed', result: textResult('The tool failed, and what it threw cannot be read.', true) };
  }
}

function settleError(error: unknown, tool: RegisteredTool | undefined): Settled {
  if (error instanceof CallStopped) return { outcome: error.outcome, result: error.toResult() };
  if (error instanceof ToolTimedOut) return { outcome: 'timed-out', result: error.result };
  const given: unknown = errorMessage(error);
  const message = typeof given === 'string' ? given : quoteValue(given);
  if (error instanceof PluginCrash) {
    const text = `The tool ${tool?.definition.name ?? ''} could not finish: ${message}`;
    return { outcome: 'crashed', result: textResult(text, true) };
  }
  const result = textResult(message, true);
  const thrown = thrownAt(error);
  if (!thrown) return { outcome: 'failed', result };
  tool?.plugin.runner.services.log(`${tool.definition.name} threw ${thrown.stack}`, 'error');
  return { outcome: 'failed', result: { ...result, metadata: { thrownAt: thrown.place } } };
}
