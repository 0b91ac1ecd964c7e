import type { CallRecord } from '@toolpost/protocol';
import { describe, expect, it } from 'vitest';
import { createCallRecorder } from './fixtures/call-recorder.ts';
import { calls, ends, says } from './fixtures/scripted-model.ts';
import { echo, setUp } from './fixtures/set-up-turn.ts';
import { repairHistory } from './history.ts';
import { runTurn } from './run-turn.ts';

describe('a turn', () => {
  it('calls the tool, gives its result back and answers, with the events in order', async () => {
    const { turn, log, asked, made } = setUp([
      [...says('Let me see. '), ...calls('c1', 'echo', '{"a":1}'), ends('tool-calls', [10, 5])],
      [...says('Done.'), ends('stop', [20, 3])],
    ]);
    const result = await runTurn({ ...turn, systemPrompt: 'Be brief.' });

    expect(made).toEqual([{ id: 'c1', name: 'echo', arguments: '{"a":1}' }]);
    expect(log.types()).toEqual([
      'turn-start',
      'text-delta',
      'tool-input-delta',
      'usage',
      'tool-call-start',
      'tool-call-end',
      'text-delta',
      'usage',
      'turn-end',
    ]);
    expect(log.events.at(-1)).toEqual({ type: 'turn-end', text: 'Done.', reason: 'completed' });
    expect(result.usage).toEqual({ inputTokens: 30, outputTokens: 8, totalTokens: 38 });
    expect(asked[1]?.prompt).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: [{ type: 'text', text: 'go' }] },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'Let me see. ' },
          { type: 'tool-call', toolCallId: 'c1', toolName: 'echo', input: { a: 1 } },
        ],
      },
      {
        role: 'tool',
        content: [
          { type: 'tool-result', toolCallId: 'c1', toolName: 'echo', output: { type: 'text', value: 'did {"a":1}' } },
        ],
      },
    ]);
    expect(result.messages.at(-1)).toEqual({ role: 'assistant', content: [{ type: 'text', text: 'Done.' }] });
  });

  it('continues from the messages of the last turn and reports each new one as it joins', async () => {
    const first = await runTurn(setUp([[...says('One.'), ends()]]).turn);
    const joined: unknown[] = [];
    const { turn, asked } = setUp([[...says('Two.'), ends()]], { history: first.messages, text: 'more' });
    const second = await runTurn({ ...turn, onMessage: (message) => joined.push(message) });
    expect(asked[0]?.prompt.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
    expect(joined).toEqual(second.messages.slice(2));
  });

  it('sends properties with every schema and aliases with every name, and calls by the own name', async () => {
    const toWire = (name: string) => name.replace('.', '_');
    const { turn, asked, made, log } = setUp(
      [
        [...calls('c1', 'calendar_read', '{}'), ends('tool-calls')],
        [...says('ok'), ends()],
      ],
      {
        tools: [{ ...echo, name: 'calendar.read' }],
        wireNames: { toWire, fromWire: (name) => name.replace('calendar_', 'calendar.') },
      },
    );
    await runTurn(turn);
    expect(asked[0]?.tools).toEqual([
      {
        type: 'function',
        name: 'calendar_read',
        description: 'Says it again.',
        inputSchema: { type: 'object', properties: {} },
      },
    ]);
    expect(made[0]?.name).toBe('calendar.read');
    expect(log.events.find(({ type }) => type === 'tool-input-delta')).toMatchObject({ name: 'calendar.read' });
    expect(JSON.stringify(asked[1]?.prompt)).not.toContain('calendar.read');
  });

  it('keeps an invented name sendable', async () => {
    const { turn, asked, made } = setUp([
      [...calls('c1', 'no such/tool', '{}'), ends('tool-calls')],
      [...says('ok'), ends()],
    ]);
    await runTurn(turn);
    expect(made[0]?.name).toBe('no such/tool');
    expect(JSON.stringify(asked[1]?.prompt)).toContain('"toolName":"no_such_tool"');
  });

  it('passes cut arguments on as they are and runs the siblings', async () => {
    const { turn, asked, made } = setUp([
      [...calls('c1', 'echo', '{"path":"a","conte'), ...calls('c2', 'echo', ''), ends('length')],
      [...says('ok'), ends()],
    ]);
    await runTurn(turn);
    expect(made.map((call) => call.arguments)).toEqual(['{"path":"a","conte', '']);
    expect(asked[1]?.prompt[1]?.content).toMatchObject([
      { input: { invalidArguments: '{"path":"a","conte' } },
      { input: {} },
    ]);
  });

  it('gives every call an id of its own when the provider repeats ids or sends none', async () => {
    const { turn, made } = setUp([
      [...calls('0', 'echo', '1'), ...calls('0', 'echo', '2'), ...calls('', 'echo', '3'), ends('tool-calls')],
      [...calls('0', 'echo', '4'), ends('tool-calls')],
      [...says('ok'), ends()],
    ]);
    const { messages } = await runTurn(turn);
    expect(made.map(({ id }) => id)).toEqual(['0', '0_2', 'call', '0_3']);
    expect(repairHistory(messages)).toEqual(messages);
  });

  it('puts a character that was split between two deltas together', async () => {
    const [start, , end] = says('');
    const halves = ['a\uD83D', '\uDE00b'].map((delta) => ({ type: 'text-delta', id: '0', delta }) as const);
    const { turn, log } = setUp([[...(start ? [start] : []), ...halves, ...(end ? [end] : []), ends()]]);
    expect((await runTurn(turn)).text).toBe('a😀b');
    expect(log.events.filter(({ type }) => type === 'text-delta')).toMatchObject([{ text: 'a' }, { text: '😀b' }]);
  });

  it('gives reasoning back to the provider with its signature', async () => {
    const { turn, asked, log } = setUp([
      [
        { type: 'reasoning-start', id: 'r' },
        { type: 'reasoning-delta', id: 'r', delta: 'hm' },
        { type: 'reasoning-end', id: 'r', providerMetadata: { anthropic: { signature: 's' } } },
        ...calls('c1', 'echo', '{}'),
        ends('tool-calls'),
      ],
      [...says('ok'), ends()],
    ]);
    await runTurn(turn);
    expect(log.events[1]).toEqual({ type: 'reasoning-delta', text: 'hm' });
    expect(asked[1]?.prompt[1]?.content).toMatchObject([
      { type: 'reasoning', text: 'hm', providerOptions: { anthropic: { signature: 's' } } },
      { type: 'tool-call' },
    ]);
  });

  it('refuses an empty prompt without asking the model', async () => {
    const { turn, asked, log } = setUp([[ends()]], { text: ' \n' });
    expect((await runTurn(turn)).reason).toBe('error');
    expect(asked).toHaveLength(0);
    expect(log.types()).toEqual(['turn-start', 'turn-error']);
  });
});

describe('the calls of one round', () => {
  /** Two calls that each wait for the other can only end when both run. */
  function meetingPoint(count: number) {
    const { promise, resolve } = Promise.withResolvers<void>();
    let arrived = 0;
    return () => {
      if (++arrived === count) resolve();
      return promise;
    };
  }

  it('run at once, and their results go back in the order of the calls', async () => {
    const meet = meetingPoint(3);
    const order: string[] = [];
    const { callTool } = createCallRecorder(async ({ id }) => {
      await meet();
      if (id === 'c1') await new Promise((done) => setImmediate(done));
      order.push(id);
      return id;
    });
    const { turn, asked } = setUp(
      [
        [...['c1', 'c2', 'c3'].flatMap((id) => calls(id, 'echo', '{}')), ends('tool-calls')],
        [...says('ok'), ends()],
      ],
      { callTool },
    );
    await runTurn(turn);
    expect(order).toEqual(['c2', 'c3', 'c1']);
    expect(asked[1]?.prompt.at(-1)?.content).toMatchObject(['c1', 'c2', 'c3'].map((toolCallId) => ({ toolCallId })));
  });

  it('of serial tools run one after the other, beside the parallel ones', async () => {
    const running = new Set<string>();
    const meet = meetingPoint(2);
    const seen: string[][] = [];
    const { callTool, made } = createCallRecorder(async ({ id, name }) => {
      running.add(id);
      if (name === 'serial') seen.push([...running].filter((other) => other.startsWith('s')));
      if (id === 's1' || id === 'p1') await meet();
      await new Promise((done) => setImmediate(done));
      running.delete(id);
      return id;
    });
    const round = [
      ...calls('s1', 'serial', '{}'),
      ...calls('p1', 'echo', '{}'),
      ...calls('s2', 'Serial', '{}'),
      ...calls('s3', 'serial', '{}'),
      ends('tool-calls'),
    ];
    await runTurn(setUp([round, [...says('ok'), ends()]], { callTool }).turn);
    expect(made.map(({ id }) => id)).toEqual(['s1', 'p1', 's2', 's3']);
    expect(seen.filter((ids) => ids.length > 1)).toEqual([]);
  });

  it('go on when all were denied, so that the model can adapt', async () => {
    const { callTool } = createCallRecorder(() => ({ outcome: 'denied', text: 'not allowed: use --allow echo' }));
    const { turn, asked } = setUp(
      [
        [...calls('c1', 'echo', '{}'), ends('tool-calls')],
        [...says('Then not.'), ends()],
      ],
      { callTool },
    );
    expect(await runTurn(turn)).toMatchObject({ reason: 'completed', text: 'Then not.' });
    expect(asked[1]?.prompt.at(-1)?.content).toMatchObject([
      { output: { type: 'error-text', value: 'not allowed: use --allow echo' } },
    ]);
  });

  it('answer the model and warn when the host itself fails in one of them', async () => {
    const callTool = async ({ id, name }: { id: string; name: string }): Promise<CallRecord> => {
      if (id === 'c1') throw new Error('a bug');
      return { id, name, plugin: '', outcome: 'completed', isError: false, content: [], text: 'fine', durationMs: 0 };
    };
    const { turn, asked, log } = setUp(
      [
        [...calls('c1', 'echo', '{}'), ...calls('c2', 'echo', '{}'), ends('tool-calls')],
        [...says('ok'), ends()],
      ],
      { callTool },
    );
    expect((await runTurn(turn)).reason).toBe('completed');
    expect(log.events).toContainEqual({ type: 'warning', message: 'The call of echo failed inside Toolpost: a bug' });
    expect(asked[1]?.prompt.at(-1)?.content).toMatchObject([
      { output: { type: 'error-text' } },
      { output: { type: 'text', value: 'fine' } },
    ]);
  });
});
