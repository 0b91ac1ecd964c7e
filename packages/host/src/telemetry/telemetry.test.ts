import { rmSync } from 'node:fs';
import { context, type MeterProvider as MeterProviderOfApi, metrics, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createAgent } from '../agent.ts';
import { createHostWorld, type HostWorld } from '../fixtures/host-world.ts';
import type { Host } from '../host.ts';
import type { HostOptions } from '../host-options.ts';
import { answers, callsTools } from '../live-sessions/fixtures/live-world.ts';
import { startScriptedProvider } from '../models/fixtures/scripted-provider.ts';

const NATIVE = `
import { definePlugin, defineTool } from '@toolpost/sdk';
const inputSchema = { type: 'object', properties: { text: { type: 'string' } } };
export default definePlugin({ tools: [
  defineTool({ name: 'trace', description: 'Tells its trace.', inputSchema, execute: (_, { traceparent }) => String(traceparent) }),
  defineTool({ name: 'fail', description: 'Fails.', inputSchema, execute() { throw new Error('secret words'); } }),
] });`;
/** A plugin in no language: it answers a call with the whole line that it got. */
const STDIO = `
let rest = '';
process.stdin.on('data', (chunk) => {
  const lines = (rest + chunk).split('\\n');
  rest = lines.pop();
  for (const line of lines) {
    const { id, method } = JSON.parse(line);
    const tools = [{ name: 'line', description: 'Tells its line.', inputSchema: { type: 'object' } }];
    if (method === 'activate') console.log(JSON.stringify({ protocolVersion: 2, tools }));
    if (method === 'execute_tool') console.log(JSON.stringify({ id, result: line }));
  }
});`;

/** The least of an MCP server: its tool tells the `_meta` of its call. */
const MCP = `
let rest = '';
const answers = {
  initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } }),
  'tools/list': () => ({ tools: [{ name: 'meta', description: 'Tells its _meta.', inputSchema: { type: 'object' } }] }),
  'tools/call': ({ _meta }) => ({ content: [{ type: 'text', text: JSON.stringify(_meta ?? {}) }] }),
};
process.stdin.on('data', (chunk) => {
  const lines = (rest + chunk).split('\\n');
  rest = lines.pop();
  for (const line of lines) {
    const { id, method, params } = JSON.parse(line);
    if (id === undefined) continue;
    const answer = answers[method];
    const body = answer ? { result: answer(params) } : { error: { code: -32601, message: 'no such method' } };
    console.log(JSON.stringify({ jsonrpc: '2.0', id, ...body }));
  }
});`;

const spans = new InMemorySpanExporter();
const counted = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
let reader: PeriodicExportingMetricReader;
let world: HostWorld;
const hosts: Host[] = [];

beforeEach(() => {
  world = createHostWorld();
  world.addNative('native', NATIVE);
});
afterEach(async () => {
  for (const host of hosts.splice(0)) await host.close();
  rmSync(world.dir, { recursive: true, force: true });
  trace.disable();
  metrics.disable();
  context.disable();
  spans.reset();
  counted.reset();
});

function registerSdk(): void {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] }));
  reader = new PeriodicExportingMetricReader({ exporter: counted, exportIntervalMillis: 2 ** 30 });
  // The SDK brings the types of an older API, which is the same at run time.
  metrics.setGlobalMeterProvider(new MeterProvider({ readers: [reader] }) as unknown as MeterProviderOfApi);
}

async function openHost(options: HostOptions = {}): Promise<Host> {
  const host = await world.open(options);
  hosts.push(host);
  return host;
}

const call = (name: string, text = '{"text":"private"}') => ({ id: 'c1', name, arguments: text });
const named = (name: string): ReadableSpan[] => spans.getFinishedSpans().filter((span) => span.name === name);
const only = (name: string): ReadableSpan => {
  const [span, ...others] = named(name);
  if (!span || others.length > 0) throw new Error(`there is not one span ${name}`);
  return span;
};

async function pointsOf(name: string) {
  await reader.forceFlush();
  const all =
    counted
      .getMetrics()
      .at(-1)
      ?.scopeMetrics.flatMap((scope) => scope.metrics) ?? [];
  return all.filter(({ descriptor }) => descriptor.name === name).flatMap(({ dataPoints }) => [...dataPoints]);
}

describe('a call, with an SDK registered', () => {
  it('is a span that says what ran and how it ended, and never with what', async () => {
    registerSdk();
    const host = await openHost();
    const session = host.openSession({ tenant: 'acme', channel: 'web' });
    const { text } = await host.callTool(call('trace'), session);
    await host.callTool(call('fail'), session);
    const span = only('execute_tool trace');
    expect(span.attributes).toEqual({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'trace',
      'gen_ai.tool.type': 'function',
      'gen_ai.tool.call.id': 'c1',
      'gen_ai.conversation.id': session.id,
      'toolpost.channel': 'web',
      'toolpost.tenant': 'acme',
      'toolpost.plugin': 'native',
      'toolpost.outcome': 'completed',
    });
    const { traceId, spanId } = span.spanContext();
    expect(text).toBe(`00-${traceId}-${spanId}-01`);
    const failed = only('execute_tool fail');
    expect(failed.attributes).toMatchObject({ 'toolpost.outcome': 'failed', 'error.type': 'failed' });
    expect(failed.status).toEqual({ code: 2 });
    expect(JSON.stringify(spans.getFinishedSpans().map(({ attributes, events }) => [attributes, events]))).not.toMatch(
      /private|secret words/,
    );
  });

  it('is counted by outcome, and a name that nobody has is no series of its own', async () => {
    registerSdk();
    const host = await openHost();
    const session = host.openSession();
    for (const name of ['trace', 'trace', 'fail', 'made up by a model', 'x'.repeat(500)])
      await host.callTool(call(name), session);
    const points = await pointsOf('toolpost.tool.calls');
    expect(points.map(({ attributes, value }) => [attributes, value])).toEqual([
      [{ 'gen_ai.tool.name': 'trace', 'toolpost.plugin': 'native', 'toolpost.outcome': 'completed' }, 2],
      [{ 'gen_ai.tool.name': 'fail', 'toolpost.plugin': 'native', 'toolpost.outcome': 'failed' }, 1],
      [{ 'toolpost.outcome': 'not-found' }, 2],
    ]);
    expect(await pointsOf('toolpost.tool.duration')).toHaveLength(3);
    expect(named('execute_tool')).toHaveLength(2);
  });

  it('says with what where that is asked for', async () => {
    registerSdk();
    const host = await openHost({ recordsContent: true });
    await host.callTool(call('fail'), host.openSession());
    expect(only('execute_tool fail').attributes).toMatchObject({
      'gen_ai.tool.call.arguments': '{"text":"private"}',
      'gen_ai.tool.call.result': expect.stringContaining('secret words'),
    });
  });

  it('tells a stdio plugin of its trace', async () => {
    registerSdk();
    world.addNative('piped', STDIO, { runtime: 'stdio', entry: 'node index.mjs' });
    const host = await openHost();
    const { text } = await host.callTool(call('line', '{}'), host.openSession());
    const { traceId, spanId } = only('execute_tool line').spanContext();
    expect(JSON.parse(text).params.context.traceparent).toBe(`00-${traceId}-${spanId}-01`);
  });
});

describe('the plugins of others', () => {
  it('an MCP server is told of the trace in `_meta`', async () => {
    registerSdk();
    world.addNative('srv', MCP, { runtime: 'mcp', entry: undefined, executable: 'node', args: ['index.mjs'] });
    const host = await openHost();
    const { text } = await host.callTool(call('mcp__srv__meta', '{}'), host.openSession());
    const { traceId, spanId } = only('execute_tool mcp__srv__meta').spanContext();
    expect(JSON.parse(text)).toMatchObject({ traceparent: `00-${traceId}-${spanId}-01` });
  });
});

describe('a turn, with an SDK registered', () => {
  it('holds the questions to the model and the calls, and counts the tokens', async () => {
    registerSdk();
    await using provider = await startScriptedProvider([callsTools(['trace', '{}']), answers('Done.')]);
    const host = await openHost();
    const session = host.openSession();
    const agent = await createAgent({ host, session, model: `openai-compatible:m@${provider.url}` });
    const result = await agent.turn('go', { abortSignal: AbortSignal.timeout(10_000), onEvent: () => {} });
    expect(result.reason).toBe('completed');
    const turn = only('invoke_agent toolpost');
    expect(turn.attributes).toMatchObject({
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.conversation.id': session.id,
      'toolpost.turn.reason': 'completed',
      'gen_ai.usage.output_tokens': result.usage.outputTokens,
    });
    const children = [...named('chat m'), ...named('execute_tool trace')];
    expect(children).toHaveLength(3);
    for (const { parentSpanContext } of children) expect(parentSpanContext?.spanId).toBe(turn.spanContext().spanId);
    expect(named('chat m')[0]?.attributes).toMatchObject({
      'gen_ai.provider.name': 'openai-compatible',
      'gen_ai.request.model': 'm',
      'gen_ai.response.finish_reasons': ['tool-calls'],
    });
    const points = await pointsOf('gen_ai.client.token.usage');
    expect(points.map(({ attributes }) => attributes['gen_ai.token.type'])).toEqual(['input', 'output']);
  });

  it('that fails at the model says so, and quotes nothing', async () => {
    registerSdk();
    await using provider = await startScriptedProvider([{ status: 400, json: { error: { message: 'private' } } }]);
    const host = await openHost();
    const agent = await createAgent({
      host,
      session: host.openSession(),
      model: `openai-compatible:m@${provider.url}`,
    });
    await agent.turn('go', { abortSignal: AbortSignal.timeout(10_000), onEvent: () => {} });
    for (const name of ['chat m', 'invoke_agent toolpost'])
      expect(only(name)).toMatchObject({ status: { code: 2 }, attributes: { 'error.type': 'error' } });
    expect(JSON.stringify(spans.getFinishedSpans().map(({ attributes }) => attributes))).not.toContain('private');
  });
});

describe('without an SDK', () => {
  it('there is no telemetry, and a plugin is told of no trace', async () => {
    const host = await openHost();
    expect(host.telemetry).toBeUndefined();
    expect((await host.callTool(call('trace'), host.openSession())).text).toBe('undefined');
  });
});
