import type { Attributes, Span } from '@opentelemetry/api';
import type { CallRecord, Session, ToolCall } from '@toolpost/protocol';
import type { TurnResult } from '../agent/run-turn.ts';
import { HOST_VERSION } from '../version.ts';
import { createInstruments } from './instruments.ts';
import type { Telemetry, TelemetryOptions } from './telemetry.ts';
import { watchModel } from './watch-model.ts';
import { fail, type OtelApi, type Watching } from './watching.ts';

const SCOPE = '@toolpost/host';
const AGENT_NAME = 'toolpost';
/** A model may write anything for a name: a span's is one of few. */
const NAME = /^[\w.:/-]{1,128}$/;

export function createTelemetry(api: OtelApi, options: TelemetryOptions): Telemetry {
  const tracer = api.trace.getTracer(SCOPE, HOST_VERSION);
  const instruments = createInstruments(api.metrics.getMeter(SCOPE, HOST_VERSION));
  const watching: Watching = { api, tracer, instruments };
  return {
    call: (call, session, run) => watchCall(watching, options, { call, session, run }),
    turn: (about, run) => watchTurn(watching, about, run),
    watch: (model) => watchModel(watching, model),
  };
}

interface WatchedCall {
  readonly call: ToolCall;
  readonly session: Session;
  readonly run: (traceparent: string | undefined) => Promise<CallRecord>;
}

function watchCall(watching: Watching, options: TelemetryOptions, { call, session, run }: WatchedCall) {
  const isName = NAME.test(call.name);
  const attributes = {
    'gen_ai.operation.name': 'execute_tool',
    ...(isName && { 'gen_ai.tool.name': call.name }),
    'gen_ai.tool.type': 'function',
    'gen_ai.tool.call.id': call.id,
    ...sessionAttributes(session),
  };
  return within(watching, isName ? `execute_tool ${call.name}` : 'execute_tool', attributes, async (span) => {
    const record = await run(traceparentOf(watching.api, span));
    span.setAttributes({ 'toolpost.plugin': record.plugin, 'toolpost.outcome': record.outcome });
    if (record.isError) fail(watching.api, span, record.outcome);
    if (options.recordsContent && span.isRecording()) span.setAttributes(contentOf(call, record, options));
    watching.instruments.countCall(record, session);
    return record;
  });
}

function contentOf(call: ToolCall, record: CallRecord, { redact }: TelemetryOptions): Attributes {
  return { 'gen_ai.tool.call.arguments': redact(call.arguments), 'gen_ai.tool.call.result': record.text };
}

function watchTurn(
  watching: Watching,
  { session, model }: { session: Session; model: string },
  run: () => Promise<TurnResult>,
): Promise<TurnResult> {
  const startedMs = performance.now();
  const attributes = {
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.agent.name': AGENT_NAME,
    'gen_ai.request.model': model,
  };
  const all = { ...attributes, ...sessionAttributes(session) };
  return within(watching, `invoke_agent ${AGENT_NAME}`, all, async (span) => {
    const { instruments, api } = watching;
    const result = await run();
    const { reason, usage } = result;
    span.setAttributes({
      'toolpost.turn.reason': reason,
      'gen_ai.usage.input_tokens': usage.inputTokens,
      'gen_ai.usage.output_tokens': usage.outputTokens,
    });
    if (reason === 'error') fail(api, span, 'error');
    instruments.took(performance.now() - startedMs, {
      ...attributes,
      ...(reason === 'error' && { 'error.type': 'error' }),
    });
    return result;
  });
}

/** Runs `work` in a span that is active meanwhile. What it throws ends the span as failed. */
async function within<T>(
  { api, tracer }: Watching,
  name: string,
  attributes: Attributes,
  work: (span: Span) => Promise<T>,
): Promise<T> {
  const span = tracer.startSpan(name, { kind: api.SpanKind.INTERNAL, attributes });
  try {
    return await api.context.with(api.trace.setSpan(api.context.active(), span), work, undefined, span);
  } catch (error) {
    fail(api, span, error instanceof Error ? error.name : 'error');
    throw error;
  } finally {
    span.end();
  }
}

function sessionAttributes({ id, tenant, channel }: Session): Attributes {
  return {
    'gen_ai.conversation.id': id,
    'toolpost.channel': channel,
    ...(tenant !== '' && { 'toolpost.tenant': tenant }),
  };
}

/** W3C Trace Context, version 00. */
function traceparentOf(api: OtelApi, span: Span): string | undefined {
  const context = span.spanContext();
  if (!api.isSpanContextValid(context)) return undefined;
  return `00-${context.traceId}-${context.spanId}-${context.traceFlags.toString(16).padStart(2, '0')}`;
}
