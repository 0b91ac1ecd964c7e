import { describe, expect, it } from 'vitest';
import { createCallRecorder, createEventLog } from './fixtures/call-recorder.ts';
import { faultsOf } from './fixtures/history-faults.ts';
import { calls, createScriptedModel, ends, type ScriptedAnswer, says } from './fixtures/scripted-model.ts';
import type { HistoryMessage } from './history.ts';
import { runTurn, type TurnOptions } from './run-turn.ts';

const echo = { name: 'echo', description: 'Says it again.', inputSchema: {} };
const noTime = { now: () => 0, sleep: async () => undefined };

/** A model whose context takes `maxChars`: it refuses longer prompts as OpenAI does, and summarises when asked to. */
function createNarrowModel(maxChars: number, answers: readonly ScriptedAnswer[], summary = 'They want a report.') {
  const summarised: string[] = [];
  let next = 0;
  const scripted = createScriptedModel([
    ({ prompt }) => {
      if (JSON.stringify(prompt).length > maxChars) {
        const message = "This model's maximum context length is 1000 tokens. Please reduce the length of the messages.";
        throw Object.assign(new Error(message), { statusCode: 400 });
      }
      if (JSON.stringify(prompt[0]).includes('Write the summary')) {
        summarised.push(JSON.stringify(prompt[1]));
        return [...says(summary), ends('stop', [5, 5])];
      }
      const answer = answers[next++] ?? [...says('Done.'), ends()];
      return typeof answer === 'function' ? [] : answer;
    },
  ]);
  return { ...scripted, summarised };
}

function exchange(index: number, resultChars: number): HistoryMessage[] {
  const call = { toolCallId: `c${index}`, toolName: 'echo' };
  return [
    { role: 'assistant', content: [{ type: 'tool-call', ...call, input: { index } }] },
    {
      role: 'tool',
      content: [
        { type: 'tool-result', ...call, output: { type: 'text', value: `r${index} `.padEnd(resultChars, '.') } },
      ],
    },
  ];
}

function conversation(exchanges: number, resultChars: number): HistoryMessage[] {
  const messages = Array.from({ length: exchanges }, (_, index) => exchange(index, resultChars)).flat();
  return [
    { role: 'user', content: [{ type: 'text', text: 'Read it all and write a report.' }] },
    ...messages,
    { role: 'assistant', content: [{ type: 'text', text: 'Read.' }] },
  ];
}

function setUp(model: TurnOptions['model'], more: Partial<TurnOptions> = {}) {
  const log = createEventLog();
  const { callTool } = createCallRecorder(() => 'echoed');
  const turn: TurnOptions = {
    ...{ model, callTool, text: 'Go on.', tools: [echo], clock: noTime, history: [] },
    onEvent: log.onEvent,
    abortSignal: new AbortController().signal,
    ...more,
  };
  const warnings = () => log.events.flatMap((event) => (event.type === 'warning' ? [event.message] : []));
  return { turn, log, warnings };
}

describe('a history that is too long', () => {
  it('first shrinks results older than the last ten messages, and says where the whole text is', async () => {
    const { model, asked, summarised } = createNarrowModel(30_000, []);
    const kept = new Map<string, string>();
    const rewritten: (readonly HistoryMessage[])[] = [];
    const { turn, warnings } = setUp(model, {
      history: conversation(10, 4000),
      keepText: (id, text) => {
        kept.set(id, text);
        return `/out/${id}.txt`;
      },
      onRewrite: (messages) => rewritten.push(messages),
    });
    const { reason, messages } = await runTurn(turn);
    expect(reason).toBe('completed');
    expect(asked).toHaveLength(2);
    expect(summarised).toEqual([]);
    expect(warnings()).toEqual(['6 old results were shortened, because the conversation is too long for the model.']);
    const texts = messages.flatMap((message) => (message.role === 'tool' ? message.content : []));
    expect(texts[0]).toMatchObject({
      output: { type: 'text', value: '[Tool result truncated: 4000 chars]\nThe whole text is in /out/c0.txt.' },
    });
    expect(texts[9]).toMatchObject({ output: { value: expect.stringMatching(/^r9 \.+$/) } });
    expect(kept.size).toBe(6);
    expect(kept.get('c0')).toHaveLength(4000);
    expect(rewritten).toHaveLength(1);
    expect(faultsOf(messages)).toEqual([]);
  });

  it('then gets a summary in place of its older part, and keeps what the user has just said', async () => {
    const { model, summarised } = createNarrowModel(20_000, []);
    const { turn, warnings } = setUp(model, { history: conversation(40, 900) });
    const { reason, messages, usage } = await runTurn(turn);
    expect(reason).toBe('completed');
    expect(warnings().at(-1)).toMatch(/older part \(\d+ messages\) was replaced by a summary/);
    expect(summarised.length).toBeGreaterThan(0);
    expect(summarised[0]).toContain('User: Read it all and write a report.');
    expect(messages[0]?.content).toMatchObject([{ text: expect.stringContaining('They want a report.') }]);
    expect(JSON.stringify(messages)).toContain('Go on.');
    expect(usage.totalTokens).toBe(10 * summarised.length);
    expect(faultsOf(messages)).toEqual([]);
  });

  it('is cut in the middle of a turn too, with the request in its own words and no call without its result', async () => {
    const round = (id: number) => [...calls(`n${id}`, 'echo', `{"n":${id}}`), ends('tool-calls')];
    const { model } = createNarrowModel(
      12_000,
      Array.from({ length: 30 }, (_, id) => round(id)),
    );
    let count = 0;
    const { callTool } = createCallRecorder(() => `${count++} `.padEnd(1200, 'x'));
    const { turn, warnings } = setUp(model, { callTool, text: 'Count to thirty.' });
    const { reason, messages } = await runTurn(turn);
    expect(reason).toBe('completed');
    expect(count).toBe(30);
    expect(warnings().length).toBeGreaterThan(1);
    expect(messages[0]?.content).toMatchObject([
      { text: expect.stringContaining('They want a report.') },
      { text: expect.stringMatching(/in the words of the user:\n\nCount to thirty\.$/) },
    ]);
    expect(faultsOf(messages)).toEqual([]);
  });

  it('makes room before the provider refuses, when its estimated size passes the threshold', async () => {
    const { model, asked } = createNarrowModel(1e9, []);
    const { turn, warnings } = setUp(model, { history: conversation(40, 900), contextTokens: 8000 });
    expect((await runTurn(turn)).reason).toBe('completed');
    expect(warnings().at(-1)).toContain('replaced by a summary');
    expect(JSON.stringify(asked.at(-1)?.prompt).length).toBeLessThan(20_000);
  });

  it('ends the turn with what to do when nothing is left to make room with', async () => {
    const { model, summarised } = createNarrowModel(3000, []);
    const { turn, log } = setUp(model, { text: 'x'.repeat(5000) });
    const { reason, text, messages } = await runTurn(turn);
    expect(reason).toBe('error');
    expect(text).toMatch(/maximum context length.*Start a new session, ask for less at once/);
    expect(summarised).toEqual([]);
    expect(log.types().filter((type) => type.startsWith('turn-'))).toEqual(['turn-start', 'turn-error']);
    expect(messages).toHaveLength(1);
  });

  it('ends the turn with the history as it was when no summary can be made, and says why', async () => {
    const history = conversation(20, 900);
    const { model } = createNarrowModel(10, []);
    const { turn, warnings } = setUp(model, { history });
    const { reason, messages } = await runTurn(turn);
    expect(reason).toBe('error');
    expect(warnings().at(-1)).toContain('could not be summarised');
    expect(messages.slice(0, -1)).toEqual(history);
  });

  it('stays as it was when the turn is cancelled while it is summarised', async () => {
    const abort = new AbortController();
    const history = conversation(40, 900);
    const { model } = createScriptedModel([
      () => {
        throw Object.assign(new Error('prompt is too long: 9 tokens > 8 maximum'), { statusCode: 400 });
      },
      () => {
        abort.abort();
        return [...says('Half a sum')];
      },
    ]);
    const { turn } = setUp(model, { history, abortSignal: abort.signal });
    const { reason, messages } = await runTurn(turn);
    expect(reason).toBe('cancelled');
    expect(messages.slice(0, history.length)).toEqual(history);
  });

  it('asks for no summary again and again when it helps nothing, and says what takes the context', async () => {
    const round = (id: number) => [...calls(`n${id}`, 'echo', `{"n":${id}}`), ends('tool-calls')];
    const { model, summarised } = createNarrowModel(
      1e9,
      Array.from({ length: 8 }, (_, id) => round(id)),
      'long '.repeat(300),
    );
    const n = { type: 'integer', description: 'A number. '.repeat(600) };
    const tools = [{ ...echo, inputSchema: { type: 'object', properties: { n } } }];
    const { turn, warnings } = setUp(model, { tools, contextTokens: 1000 });
    expect((await runTurn(turn)).reason).toBe('completed');
    expect(summarised.length).toBeLessThan(5);
    expect(warnings()).toEqual([
      expect.stringMatching(/^the system prompt and the tools take about \d+ of the 1000 tokens/),
    ]);
  });
});
