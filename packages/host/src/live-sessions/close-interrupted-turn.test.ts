import type { EventBody, ToolpostEvent } from '@toolpost/protocol';
import { describe, expect, it } from 'vitest';
import { type HistoryMessage, repairHistory, userMessage } from '../agent/history.ts';
import { closeInterruptedTurn } from './close-interrupted-turn.ts';

const numbered = (bodies: readonly EventBody[]): ToolpostEvent[] =>
  bodies.map((body, index) => ({ ...body, sessionId: 's', seq: index + 1, at: 100 }));
const start = (toolCallId: string): EventBody => ({
  ...{ type: 'tool-call-start', toolCallId, name: 'stream', plugin: 'tools', arguments: '{}' },
});
const end = (toolCallId: string, text: string): EventBody => ({
  ...{ type: 'tool-call-end', toolCallId, name: 'stream', outcome: 'completed' },
  result: {
    ...{ id: toolCallId, name: 'stream', plugin: 'tools', outcome: 'completed', isError: false, durationMs: 1 },
    ...{ content: [{ type: 'text', text }], text },
  },
});
const calling = (...ids: string[]): HistoryMessage => ({
  role: 'assistant',
  content: ids.map((toolCallId) => ({ type: 'tool-call', toolCallId, toolName: 'stream', input: {} })),
});

function close(bodies: readonly EventBody[], history: readonly HistoryMessage[]) {
  const entries = closeInterruptedTurn(numbered([{ type: 'turn-start', text: 'go' }, ...bodies]), history, { at: 350 });
  const events = entries.flatMap((entry) => (entry.type === 'event' ? [entry.body] : []));
  const after = entries.flatMap((entry) => (entry.type === 'history' ? entry.messages : []));
  expect(repairHistory(after)).toEqual(after);
  expect(events.at(-1)).toMatchObject({ type: 'turn-error' });
  return { events: events.slice(0, -1), after };
}

describe('a turn whose host was killed', () => {
  it('keeps the results of calls that had ended; the others say that they were interrupted', () => {
    const { events, after } = close(
      [start('a'), start('b'), end('a', 'done')],
      [userMessage('go'), calling('a', 'b', 'c')],
    );
    expect(events).toEqual([
      expect.objectContaining({
        ...{ type: 'tool-call-end', toolCallId: 'b', outcome: 'crashed' },
        result: expect.objectContaining({ durationMs: 250, text: expect.stringContaining('interrupted') }),
      }),
    ]);
    expect(after.at(-1)).toMatchObject({
      role: 'tool',
      content: [
        { toolCallId: 'a', output: { type: 'text', value: 'done' } },
        { toolCallId: 'b', output: { type: 'error-text', value: expect.stringContaining('interrupted') } },
        { toolCallId: 'c', output: { type: 'error-text', value: expect.stringContaining('interrupted') } },
      ],
    });
  });

  it('keeps what the model was saying, as far as it was seen', () => {
    const { after } = close(
      [start('a'), end('a', 'done'), { type: 'text-delta', text: 'So ' }, { type: 'text-delta', text: 'far' }],
      [
        userMessage('go'),
        calling('a'),
        {
          role: 'tool',
          content: [
            { type: 'tool-result', toolCallId: 'a', toolName: 'stream', output: { type: 'text', value: 'done' } },
          ],
        },
      ],
    );
    expect(after.at(-1)).toEqual({ role: 'assistant', content: [{ type: 'text', text: 'So far' }] });
  });

  it('does not say twice what is in the history already', () => {
    const text = { type: 'text' as const, text: 'I look.' };
    const calls = calling('a');
    const history = [userMessage('go'), { ...calls, content: [text, ...(calls.content as [])] } as HistoryMessage];
    const { after } = close([{ type: 'text-delta', text: 'I look.' }, start('a')], history);
    expect(JSON.stringify(after).match(/I look\./g)).toHaveLength(1);
  });

  it('has an answer to a question that was open', () => {
    const request: EventBody = {
      ...{ type: 'approval-request', approvalId: 'q', toolCallId: 'a', plugin: 'tools', name: 'stream' },
      ...{ arguments: '{}', reason: 'asks' },
    };
    const { events } = close([start('a'), request], [userMessage('go'), calling('a')]);
    expect(events[0]).toEqual({ type: 'approval-end', approvalId: 'q', answer: 'no', by: 'the host' });
  });
});
