import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createCallRecorder } from './fixtures/call-recorder.ts';
import { faultsOf } from './fixtures/history-faults.ts';
import { calls, createScriptedModel, ends, says } from './fixtures/scripted-model.ts';
import { type HistoryMessage, repairHistory } from './history.ts';
import { runTurn } from './run-turn.ts';

const user = (text: string): HistoryMessage => ({ role: 'user', content: [{ type: 'text', text }] });
const call = (...ids: string[]): HistoryMessage => ({
  role: 'assistant',
  content: ids.map((toolCallId) => ({ type: 'tool-call', toolCallId, toolName: 't', input: {} })),
});
const result = (...ids: string[]): HistoryMessage => ({
  role: 'tool',
  content: ids.map((toolCallId) => ({
    type: 'tool-result',
    toolCallId,
    toolName: 't',
    output: { type: 'text', value: toolCallId },
  })),
});

describe('repairHistory', () => {
  it('answers calls that were interrupted, also in the middle of a round', () => {
    const repaired = repairHistory([user('a'), call('1', '2', '3'), result('3', '1'), user('b')]);
    expect(faultsOf(repaired)).toEqual([]);
    expect(repaired[2]?.content).toMatchObject([
      { toolCallId: '1', output: { type: 'text', value: '1' } },
      { toolCallId: '2', output: { type: 'error-text', value: expect.stringContaining('interrupted') } },
      { toolCallId: '3', output: { type: 'text', value: '3' } },
    ]);
  });

  it('drops results that answer nothing, come twice or come too late', () => {
    const repaired = repairHistory([result('0'), user('a'), call('1'), result('1', '1', '9'), user('b'), result('1')]);
    expect(repaired).toEqual([user('a'), call('1'), result('1'), user('b')]);
  });

  it('joins results that were stored one by one', () => {
    const repaired = repairHistory([user('a'), call('1', '2'), result('2'), result('1')]);
    expect(repaired).toEqual([user('a'), call('1', '2'), result('1', '2')]);
  });

  it('drops messages that hold nothing a provider takes, and merges neighbours', () => {
    const reasoning: HistoryMessage = { role: 'assistant', content: [{ type: 'reasoning', text: 'hm' }] };
    const blank: HistoryMessage = { role: 'assistant', content: [{ type: 'text', text: '\n' }] };
    expect(repairHistory([user('a'), reasoning, blank, user(''), user('b')])).toEqual([
      { role: 'user', content: [...user('a').content, ...user('b').content] },
    ]);
  });

  it('makes any sequence of messages valid, leaves a valid one as it is, and loses no text', () => {
    const id = fc.constantFrom('1', '2', '3', '4');
    const text = fc.constantFrom('', ' ', 'x', 'y\uD83D');
    const message = fc.oneof(
      text.map(user),
      text.map((said): HistoryMessage => ({ role: 'assistant', content: [{ type: 'text', text: said }] })),
      fc.array(id, { maxLength: 3 }).map((ids) => call(...ids)),
      fc.array(id, { maxLength: 3 }).map((ids) => result(...ids)),
    );
    fc.assert(
      fc.property(fc.array(message, { maxLength: 12 }), (history) => {
        const repaired = repairHistory(history);
        expect(faultsOf(repaired)).toEqual([]);
        expect(repairHistory(repaired)).toEqual(repaired);
        const letters = (messages: readonly HistoryMessage[]) =>
          JSON.stringify(messages).match(/"text":"[xy]/g)?.length;
        expect(letters(repaired)).toBe(letters(history));
      }),
    );
  });
});

describe('a history after cancels at any point', () => {
  /** Counts each part and each call down, and cancels when it comes to nothing. */
  function createFuse(steps: number) {
    const abort = new AbortController();
    let left = steps;
    return { signal: abort.signal, burn: () => --left === 0 && abort.abort() };
  }

  it('is valid and can be continued', async () => {
    const name = fc.constantFrom('p', 's', 'odd name', '');
    const callId = fc.constantFrom('0', '1', 'a/b', '');
    const input = fc.constantFrom('{}', '', 'null', '[1]', '{"a', '{"x":"\\ud83d"}', '"\uD83D"', '['.repeat(9999));
    const part = fc.oneof(
      fc.constantFrom('hello', ' ', '\uD83D', '').map(says),
      fc.tuple(callId, name, input).map((all) => calls(...all)),
    );
    const answer = fc.tuple(fc.array(part, { maxLength: 4 }), fc.constantFrom(true, true, true, false));
    const turns = fc.array(
      fc.tuple(fc.array(answer, { minLength: 1, maxLength: 4 }), fc.integer({ min: 1, max: 40 })),
      {
        minLength: 1,
        maxLength: 4,
      },
    );
    await fc.assert(
      fc.asyncProperty(turns, async (script) => {
        let history: HistoryMessage[] = [];
        for (const [answers, steps] of script) {
          const fuse = createFuse(steps);
          const { model } = createScriptedModel(
            answers.map(
              ([parts, isWhole]) =>
                function* () {
                  for (const one of [...parts.flat(), ...(isWhole ? [ends()] : [])]) {
                    fuse.burn();
                    yield one;
                  }
                },
            ),
          );
          const { callTool } = createCallRecorder((_, signal) => {
            fuse.burn();
            return signal.aborted ? { outcome: 'cancelled', text: '\uDE00' } : 'done \uD83D';
          });
          const stored: HistoryMessage[] = [];
          const tools = [
            { name: 'p', description: '', inputSchema: {} },
            { name: 's', description: '', inputSchema: {}, concurrency: 'serial' as const },
          ];
          const { messages } = await runTurn({
            ...{ model, history, text: 'go', tools, callTool, maxSteps: 4, abortSignal: fuse.signal },
            onEvent: () => undefined,
            onMessage: (message) => stored.push(message),
            clock: { now: () => 0, sleep: async () => undefined },
          });
          expect(faultsOf(messages)).toEqual([]);
          // A host that is killed leaves what was stored up to some message: each such rest can be continued.
          for (let kept = 0; kept <= stored.length; kept++) {
            expect(faultsOf(repairHistory([...history, ...stored.slice(0, kept)]))).toEqual([]);
          }
          history = messages;
        }
      }),
      { numRuns: 300 },
    );
  });
});
