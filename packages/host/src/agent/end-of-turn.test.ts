import { describe, expect, it } from 'vitest';
import { createCallRecorder } from './fixtures/call-recorder.ts';
import { calls, ends, says } from './fixtures/scripted-model.ts';
import { setUp } from './fixtures/set-up-turn.ts';
import { repairHistory } from './history.ts';
import { runTurn } from './run-turn.ts';

describe('a turn stops', () => {
  it('with max-steps, a text, and a history that says so', async () => {
    let count = 0;
    const { turn } = setUp([() => [...calls('c', 'echo', `{"n":${count++}}`), ends('tool-calls')]], { maxSteps: 3 });
    const { reason, text, messages } = await runTurn(turn);
    expect(reason).toBe('max-steps');
    expect(text).toContain('3 model steps');
    expect(messages.at(-1)).toEqual({ role: 'assistant', content: [{ type: 'text', text }] });
    expect(count).toBe(3);
  });

  it('with loop when the same call gives the same result five times in a row and the model goes on with it', async () => {
    const { turn, made, asked } = setUp([[...calls('c', 'echo', '{}'), ends('tool-calls')]]);
    const { reason, text, messages } = await runTurn(turn);
    expect(reason).toBe('loop');
    expect(text).toContain('echo was called again and again');
    expect(made).toHaveLength(5);
    const told = asked.map(({ prompt }) =>
      JSON.stringify(prompt.at(-1)).includes('[Stopped: echo was called five times'),
    );
    expect(told).toEqual([false, false, false, false, false, true]);
    expect(messages.at(-2)?.content).toMatchObject([
      { output: { type: 'error-text', value: expect.stringContaining('not run again') } },
    ]);
    expect(repairHistory(messages)).toEqual(messages);
  });

  it('not when the model finds another way once it was told', async () => {
    const again = [...calls('c', 'echo', '{}'), ends('tool-calls')];
    const other = [...calls('c', 'echo', '{"a":1}'), ...calls('c', 'echo', '{}'), ends('tool-calls')];
    const { turn, made } = setUp([again, again, again, again, again, other, [...says('There.'), ends()]]);
    expect(await runTurn(turn)).toMatchObject({ reason: 'completed', text: 'There.' });
    expect(made.map((call) => call.arguments)).toEqual([...Array(5).fill('{}'), '{"a":1}']);
  });

  it('not while pictures change, whatever the words say', async () => {
    let count = 0;
    const picture = () => ({ type: 'image' as const, mimeType: 'image/png', data: String(count++).padStart(4, 'A') });
    const { callTool, made } = createCallRecorder(() => ({ text: 'A picture.', content: [picture()] }));
    const { turn } = setUp([[...calls('a', 'echo', '{}'), ends('tool-calls')]], { callTool, maxSteps: 8 });
    expect((await runTurn(turn)).reason).toBe('max-steps');
    expect(made).toHaveLength(8);
  });

  it('not while results change', async () => {
    let count = 0;
    const { callTool, made } = createCallRecorder(() => String(count++));
    const { turn } = setUp([[...calls('a', 'echo', '{}'), ends('tool-calls')]], { callTool, maxSteps: 8 });
    expect((await runTurn(turn)).reason).toBe('max-steps');
    expect(made).toHaveLength(8);
  });

  it('not for one stuck call beside another that goes on: the stuck one alone is no longer run', async () => {
    let count = 0;
    const { callTool, made } = createCallRecorder(({ name }) => (name === 'echo' ? 'same' : String(count++)));
    const round = [...calls('a', 'echo', '{}'), ...calls('b', 'serial', '{}'), ends('tool-calls')];
    const { turn, log, asked } = setUp([round], { callTool, maxSteps: 8 });
    const { reason, messages } = await runTurn(turn);
    expect(reason).toBe('max-steps');
    const ran = (name: string) => made.filter((call) => call.name === name).length;
    expect([ran('echo'), ran('serial')]).toEqual([5, 8]);
    const results = messages.filter(({ role }) => role === 'tool').map(({ content }) => JSON.stringify(content));
    expect(results.map((text) => text.includes('not run again'))).toEqual([
      ...Array(4).fill(false),
      ...Array(4).fill(true),
    ]);
    expect(JSON.stringify(asked[5]?.prompt.at(-1))).toMatch(/same.{0,9}\[Stopped: echo was called five times.*"4"/);
    const told = log.events.flatMap((event) =>
      event.type === 'tool-call-end' ? [`${event.name} ${event.outcome}`] : [],
    );
    expect(told.slice(-2).toSorted()).toEqual(['echo denied', 'serial completed']);
    expect(repairHistory(messages)).toEqual(messages);
  });

  it('running a call of one answer after five of it had one result, and with loop when the model goes on with it', async () => {
    const many = [...Array(9).keys()].flatMap((index) => calls(`c${index}`, 'echo', '{}'));
    const { turn, made, asked } = setUp([[...many, ends('tool-calls')]]);
    const { reason, messages } = await runTurn(turn);
    expect(reason).toBe('loop');
    expect(made).toHaveLength(5);
    expect(asked).toHaveLength(2);
    expect(repairHistory(messages)).toEqual(messages);
  });

  it('no call of an answer whose results differ, nor calls of one answer that are refused for their arguments', async () => {
    let count = 0;
    const many = [...Array(9).keys()].flatMap((index) => calls(`c${index}`, 'echo', '{}'));
    const dice = createCallRecorder(() => String(count++));
    const answers = [
      [...many, ends('tool-calls')],
      [...says('Done.'), ends()],
    ];
    expect((await runTurn(setUp(answers, { callTool: dice.callTool }).turn)).reason).toBe('completed');
    expect(dice.made).toHaveLength(9);
    const refusing = createCallRecorder(() => ({ outcome: 'invalid-input', text: 'wrong' }));
    const wrong = [...Array(9).keys()].flatMap((index) => calls(`c${index}`, 'echo', `{"n":${index}}`));
    const twice = [
      [...wrong, ends('tool-calls')],
      [...wrong, ends('tool-calls')],
      [...says('Done.'), ends()],
    ];
    expect((await runTurn(setUp(twice, { callTool: refusing.callTool }).turn)).reason).toBe('completed');
    expect(refusing.made).toHaveLength(18);
  });

  it('with loop when the arguments of a tool are refused once more after five times, however they differ', async () => {
    let count = 0;
    const { callTool, made } = createCallRecorder(() => ({ outcome: 'invalid-input', text: `got ${count}` }));
    const { turn } = setUp([() => [...calls('c', 'echo', `{"n":${count++}}`), ends('tool-calls')]], { callTool });
    expect((await runTurn(turn)).reason).toBe('loop');
    expect(made).toHaveLength(6);
  });

  it('with an error that says what to do when the stream ends without an end', async () => {
    for (const cut of [[], [ends('interrupted')]]) {
      const { turn, log } = setUp([[...says('Half an ans'), ...calls('c1', 'echo', '{"a'), ...cut]]);
      const { reason, text, messages } = await runTurn(turn);
      expect(reason).toBe('error');
      expect(text).toMatch(/script \(scripted\) failed: The answer was cut off.* send the prompt again/);
      expect(log.types().filter((type) => type.startsWith('turn-'))).toEqual(['turn-start', 'turn-error']);
      expect(messages.at(-1)).toEqual({ role: 'assistant', content: [{ type: 'text', text: 'Half an ans' }] });
    }
  });

  it('not with an empty answer: it is asked once more, with a reminder that the history does not keep', async () => {
    const empty = [{ type: 'text-start', id: '0' } as const, { type: 'text-delta', id: '0', delta: ' \n' } as const];
    const { turn, asked, log } = setUp([
      [...empty, ends('stop', [5, 1])],
      [...says('Here.'), ends('stop', [6, 2])],
    ]);
    const { reason, text, messages, usage } = await runTurn(turn);
    expect({ reason, text }).toEqual({ reason: 'completed', text: 'Here.' });
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant']);
    expect(asked[1]?.prompt.at(-1)?.content).toMatchObject([{ text: expect.stringContaining('was empty') }]);
    expect(usage).toEqual({ inputTokens: 11, outputTokens: 3, totalTokens: 14 });
    expect(log.events.filter(({ type }) => type === 'warning')).toMatchObject([
      { message: expect.stringContaining('asked once more') },
    ]);
  });

  it('with an error that says what to do when the answer is empty a second time', async () => {
    const thinks = [
      { type: 'reasoning-start', id: 'r' } as const,
      { type: 'reasoning-delta', id: 'r', delta: 'Hm.' } as const,
    ];
    for (const nothing of [[ends()], [...thinks, ends()]]) {
      const { turn, asked, log } = setUp([nothing]);
      const { reason, text, messages } = await runTurn(turn);
      expect(reason).toBe('error');
      expect(text).toMatch(/script \(scripted\) answered with nothing, twice\. Say it in other words/);
      expect(asked).toHaveLength(2);
      expect(messages.map(({ role }) => role)).toEqual(['user']);
      expect(log.types().filter((type) => type.startsWith('turn-'))).toEqual(['turn-start', 'turn-error']);
    }
  });

  it('with a warning, completed, when the model has nothing to say about what its calls did', async () => {
    const { turn, asked, log } = setUp([[...calls('c1', 'echo', '{}'), ends('tool-calls')], [ends()]]);
    const { reason, text, messages } = await runTurn(turn);
    expect({ reason, text }).toEqual({ reason: 'completed', text: '' });
    expect(asked).toHaveLength(3);
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool']);
    expect(log.types().filter((type) => type === 'warning')).toHaveLength(2);
    expect(repairHistory(messages)).toEqual(messages);
  });

  it("with an error when the provider's filter stopped the answer, and warns when the filter or its limit cut it", async () => {
    expect((await runTurn(setUp([[ends('content-filter')]]).turn)).reason).toBe('error');
    for (const reason of ['length', 'content-filter'] as const) {
      const { turn, log } = setUp([[...says('long'), ends(reason)]]);
      expect((await runTurn(turn)).reason).toBe('completed');
      expect(log.types().filter((type) => type === 'warning')).toHaveLength(1);
    }
  });
});

describe('a cancelled turn', () => {
  it('keeps the text, drops the half call and goes on in the next turn', async () => {
    const forever = () => new Promise<never>(() => undefined);
    const { turn, abort, log } = setUp([
      async function* () {
        yield* says('Thinking about');
        yield* calls('c1', 'echo', '{"a":').slice(0, 2);
        await forever();
      },
    ]);
    const running = runTurn(turn);
    await log.next('tool-input-delta');
    abort.abort();
    const { reason, text, messages } = await running;
    expect({ reason, text }).toEqual({ reason: 'cancelled', text: 'Thinking about' });
    expect(messages.at(-1)?.content).toEqual([{ type: 'text', text: 'Thinking about' }]);
    expect(log.types().at(-1)).toBe('turn-end');
  });

  it('ends also when the provider never answers and ignores the abort', async () => {
    const abort = new AbortController();
    const { turn } = setUp([], { abortSignal: abort.signal });
    const asked = Promise.withResolvers<void>();
    const doStream = () => {
      asked.resolve();
      return new Promise<never>(() => undefined);
    };
    const running = runTurn({ ...turn, model: { ...turn.model, doStream } });
    await asked.promise;
    abort.abort();
    expect((await running).reason).toBe('cancelled');
  });

  it('does not ask the model when it was cancelled before', async () => {
    const { turn, asked } = setUp([[...says('x'), ends()]], { abortSignal: AbortSignal.abort() });
    expect((await runTurn(turn)).reason).toBe('cancelled');
    expect(asked).toHaveLength(0);
  });

  it('has a result for each call: its own, or that it was interrupted', async () => {
    const abort = new AbortController();
    const { callTool, made } = createCallRecorder(async () => {
      abort.abort();
      return { outcome: 'cancelled', text: 'The call was cancelled.' };
    });
    const round = [...calls('s1', 'serial', '{}'), ...calls('s2', 'serial', '{}'), ends('tool-calls')];
    const { turn } = setUp([[...says('Now.'), ...round]], { callTool, abortSignal: abort.signal });
    const { reason, text, messages } = await runTurn(turn);
    expect({ reason, text }).toEqual({ reason: 'cancelled', text: 'Now.' });
    expect(made).toHaveLength(1);
    expect(messages.at(-1)?.content).toMatchObject([
      { toolCallId: 's1', output: { type: 'error-text', value: 'The call was cancelled.' } },
      { toolCallId: 's2', output: { type: 'error-text', value: expect.stringContaining('interrupted') } },
    ]);
  });

  it('has a result for each call also when the cancel comes with the very end of the answer', async () => {
    for (let ticks = 0; ticks < 40; ticks++) {
      const abort = new AbortController();
      const { turn, made } = setUp(
        [
          function* () {
            yield* [...calls('c1', 'echo', '{}'), ends('tool-calls')];
            let left = ticks;
            const later = () => (left-- > 0 ? queueMicrotask(later) : abort.abort());
            later();
          },
        ],
        { abortSignal: abort.signal },
      );
      const { reason, messages } = await runTurn(turn);
      expect(reason, `${ticks} ticks`).toBe('cancelled');
      expect(repairHistory(messages), `${ticks} ticks, ${made.length} calls`).toEqual(messages);
    }
  });

  it('merges with the next prompt when nothing was answered', async () => {
    const { messages } = await runTurn(setUp([[ends()]], { abortSignal: AbortSignal.abort() }).turn);
    const next = await runTurn(setUp([[...says('ok'), ends()]], { history: messages, text: 'again' }).turn);
    expect(next.messages.map(({ role }) => role)).toEqual(['user', 'assistant']);
    expect(next.messages[0]?.content).toMatchObject([{ text: 'go' }, { text: 'again' }]);
  });
});
