import type { EventBody, ToolDefinition } from '@toolpost/protocol';
import { MAX_UI_CODE_CHARS } from '@toolpost/protocol';
import { describe, expect, it } from 'vitest';
import { startScriptedProvider } from '../models/fixtures/scripted-provider.ts';
import { resolveModel } from '../models/resolve-model.ts';
import { ends, type ScriptedAnswer, says } from './fixtures/scripted-model.ts';
import { setUp } from './fixtures/set-up-turn.ts';
import { anthropicInput, chatInput } from './fixtures/streamed-input.ts';
import { runTurn } from './run-turn.ts';

const schema = { type: 'object', properties: { title: { type: 'string' }, code: { type: 'string' } } };
const draw: ToolDefinition = {
  name: 'draw',
  description: 'Draws.',
  inputSchema: schema,
  ui: { mode: 'genui', param: 'code', libs: ['echarts'], surface: 'anywhere' },
};
const CODE = 'export default function App() {\n  return <b title="\u{1F600}\\">é\u{1F680}</b>;\n}\n'.repeat(20);
const TITLE = '"code":"not this"';
/** Escaped as some providers do, so that pairs of surrogates are two escapes. */
const INPUT = JSON.stringify({ title: TITLE, code: CODE }).replaceAll(
  /[^\0-\x7f]/g,
  (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
);

type Delta = Extract<EventBody, { type: 'ui-delta' }>;

function deltasOf(events: readonly EventBody[]): Delta[] {
  return events.filter((event) => event.type === 'ui-delta');
}

function oddPieces(text: string): string[] {
  const pieces: string[] = [];
  for (let at = 0, size = 1; at < text.length; at += size, size = (size * 7) % 13)
    pieces.push(text.slice(at, at + size));
  return pieces;
}

function streams(name: string, pieces: readonly string[], pauseMs = 0): ScriptedAnswer {
  return async function* () {
    yield { type: 'tool-input-start', id: 'a', toolName: name };
    for (const delta of pieces) {
      if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
      yield { type: 'tool-input-delta', id: 'a', delta };
    }
    yield { type: 'tool-input-end', id: 'a' };
    yield { type: 'tool-call', toolCallId: 'a', toolName: name, input: pieces.join('') };
    yield ends('tool-calls');
  };
}

const answered: ScriptedAnswer = [...says('Drawn.'), ends()];

describe('the preview of what a call draws', () => {
  it.each([
    ['chat completions', 'openai-compatible:m', chatInput],
    ['messages', 'anthropic:m', anthropicInput],
  ] as const)('comes while the arguments stream over the %s wire', async (_title, spec, answer) => {
    await using provider = await startScriptedProvider(answer('draw', oddPieces(INPUT)));
    const model = await resolveModel(spec === 'anthropic:m' ? spec : `${spec}@${provider.url}`, {
      environment: { ANTHROPIC_API_KEY: 'ak', OPENAI_API_KEY: 'sk', ANTHROPIC_BASE_URL: provider.url },
    });
    const { turn, log } = setUp([], { model, tools: [draw] });
    await runTurn(turn);
    const deltas = deltasOf(log.events);
    expect(deltas[0]).toMatchObject({ mode: 'genui', libs: ['echarts'], surface: 'inline' });
    expect(deltas.at(-1)?.code).toBe(CODE);
    for (const { code } of deltas) expect(CODE.startsWith(code)).toBe(true);
    const types = log.types();
    expect(types.lastIndexOf('ui-delta')).toBeLessThan(types.indexOf('tool-call-start'));
    const start = log.events.find((event) => event.type === 'tool-call-start');
    expect(start).toMatchObject({ toolCallId: deltas[0]?.toolCallId });
  });

  it('comes at most each 100 ms, and the last one always', async () => {
    const { turn, log } = setUp([streams('draw', oddPieces(INPUT).slice(0, 60).concat(['"}']), 10), answered], {
      tools: [draw],
    });
    const times: number[] = [];
    const onEvent = (event: EventBody) => {
      if (event.type === 'ui-delta') times.push(performance.now());
      log.onEvent(event);
    };
    await runTurn({ ...turn, onEvent });
    expect(times.length).toBeGreaterThan(2);
    const gaps = times.slice(1, -1).map((time, index) => time - (times[index] ?? 0));
    for (const gap of gaps) expect(gap).toBeGreaterThan(95);
    expect(deltasOf(log.events).at(-1)?.code).toBe(CODE.slice(0, deltasOf(log.events).at(-1)?.code.length));
  });

  it('comes while the provider pauses, before the next piece does', async () => {
    const { promise: seen, resolve } = Promise.withResolvers<void>();
    const answer: ScriptedAnswer = async function* () {
      yield { type: 'tool-input-start', id: 'a', toolName: 'draw' };
      yield { type: 'tool-input-delta', id: 'a', delta: '{"code":"<p' };
      yield { type: 'tool-input-delta', id: 'a', delta: '>text' };
      await seen;
      yield { type: 'tool-input-delta', id: 'a', delta: '</p>"}' };
      yield { type: 'tool-call', toolCallId: 'a', toolName: 'draw', input: '{"code":"<p>text</p>"}' };
      yield ends('tool-calls');
    };
    const { turn, log } = setUp([answer, answered], { tools: [draw] });
    const onEvent = (event: EventBody) => {
      log.onEvent(event);
      if (event.type === 'ui-delta' && event.code === '<p>text') resolve();
    };
    await runTurn({ ...turn, onEvent });
    expect(deltasOf(log.events).map(({ code }) => code)).toEqual(['<p', '<p>text', '<p>text</p>']);
  });

  it('tells of what had come when the turn is cancelled, and of nothing after that', async () => {
    const { promise: never } = Promise.withResolvers<void>();
    const answer: ScriptedAnswer = async function* () {
      yield { type: 'tool-input-start', id: 'a', toolName: 'draw' };
      yield { type: 'tool-input-delta', id: 'a', delta: '{"code":"a' };
      yield { type: 'tool-input-delta', id: 'a', delta: 'b' };
      await never;
    };
    const { turn, log, abort } = setUp([answer], { tools: [draw] });
    const onEvent = (event: EventBody) => {
      log.onEvent(event);
      if (event.type === 'tool-input-delta' && event.text === 'b') setImmediate(() => abort.abort());
    };
    expect((await runTurn({ ...turn, onEvent })).reason).toBe('cancelled');
    expect(log.types().slice(-2)).toEqual(['ui-delta', 'turn-end']);
    expect(deltasOf(log.events).map(({ code }) => code)).toEqual(['a', 'ab']);
  });

  it.each<[string, Partial<ToolDefinition>, string]>([
    ['a tool without one', { ui: { mode: 'genui' } }, 'draw'],
    ['a tool that the session does not have', {}, 'other_draw'],
    ['an argument that is no text', { ui: { mode: 'genui', param: 'count' } }, 'draw'],
  ])('is not there for %s', async (_title, change, name) => {
    const { turn, log } = setUp([streams(name, ['{"count":1,"code":"x"}']), answered], {
      tools: [{ ...draw, ...change }],
    });
    await runTurn(turn);
    expect(log.types()).not.toContain('ui-delta');
  });

  it('finds the tool under the name that providers take, in any case', async () => {
    const wireNames = { toWire: () => 'a_draw', fromWire: (name: string) => (name === 'A_DRAW' ? 'Ä.Draw' : name) };
    const tools = [{ ...draw, name: 'ä.draw' }];
    const { turn, log } = setUp([streams('A_DRAW', ['{"code":"x"}']), answered], { tools, wireNames });
    await runTurn(turn);
    expect(deltasOf(log.events).map(({ code }) => code)).toEqual(['x']);
  });

  it('stops with one warning where the code is longer than is shown', async () => {
    const pieces = ['{"code":"', ...Array.from({ length: 5 }, () => 'x'.repeat(MAX_UI_CODE_CHARS / 4)), '"}'];
    const { turn, log } = setUp([streams('draw', pieces), answered], { tools: [draw] });
    await runTurn(turn);
    const warnings = log.events.filter((event) => event.type === 'warning' && event.message.includes('preview'));
    expect(warnings).toEqual([{ type: 'warning', message: expect.stringContaining('longer than 1000000 characters') }]);
    for (const { code } of deltasOf(log.events)) expect(code.length).toBeLessThanOrEqual(MAX_UI_CODE_CHARS);
  });
});
