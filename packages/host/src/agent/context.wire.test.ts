import { describe, expect, it } from 'vitest';
import {
  anthropicEvents,
  chatChunks,
  type ProviderAnswer,
  responsesEvents,
  startScriptedProvider,
} from '../models/fixtures/scripted-provider.ts';
import { resolveModel } from '../models/resolve-model.ts';
import { createEventLog } from './fixtures/call-recorder.ts';
import type { HistoryMessage } from './history.ts';
import { runTurn } from './run-turn.ts';

const history: HistoryMessage[] = Array.from({ length: 12 }, (_, index): HistoryMessage[] => [
  { role: 'user', content: [{ type: 'text', text: `question ${index}`.padEnd(400, '?') }] },
  { role: 'assistant', content: [{ type: 'text', text: `answer ${index}`.padEnd(400, '.') }] },
]).flat();

interface Wire {
  readonly name: string;
  readonly spec: string;
  readonly tooLong: ProviderAnswer;
  readonly says: (text: string) => ProviderAnswer;
  /** The texts of the messages in a request, joined. */
  readonly field: string;
}

const WIRES: readonly Wire[] = [
  {
    name: 'OpenAI, before the stream',
    spec: 'openai:gpt-5',
    tooLong: {
      status: 400,
      json: {
        error: { code: 'context_length_exceeded', message: 'Your input exceeds the context window of this model.' },
      },
    },
    says: (text) => ({ events: responsesEvents({ text }) }),
    field: 'input',
  },
  {
    name: 'OpenAI, inside the stream',
    spec: 'openai:gpt-5',
    tooLong: {
      events: [
        {
          type: 'response.failed',
          sequence_number: 1,
          response: { error: { code: 'context_length_exceeded', message: 'Too many tokens.' } },
        },
      ],
    },
    says: (text) => ({ events: responsesEvents({ text }) }),
    field: 'input',
  },
  {
    name: 'Anthropic',
    spec: 'anthropic:claude',
    tooLong: {
      status: 400,
      json: {
        type: 'error',
        error: { type: 'invalid_request_error', message: 'prompt is too long: 210000 tokens > 200000 maximum' },
      },
    },
    says: (text) => ({ events: anthropicEvents([{ text }], 'end_turn') }),
    field: 'messages',
  },
  {
    name: 'llama.cpp',
    spec: 'openai-compatible:m',
    tooLong: {
      status: 400,
      json: {
        error: {
          code: 400,
          message: 'the request exceeds the available context size',
          type: 'exceed_context_size_error',
        },
      },
    },
    says: (text) => ({ events: chatChunks([{ content: text }]) }),
    field: 'messages',
  },
];

describe('a history that the provider finds too long is summarised, and the question asked again', () => {
  it.each(WIRES)('$name', async ({ spec, tooLong, says, field }) => {
    await using provider = await startScriptedProvider([tooLong, says('They asked twelve questions.'), says('Yes.')]);
    const environment = {
      ...{ OPENAI_API_KEY: 'k', ANTHROPIC_API_KEY: 'k' },
      ...{ OPENAI_BASE_URL: provider.url, ANTHROPIC_BASE_URL: provider.url },
    };
    const log = createEventLog();
    const { reason, text } = await runTurn({
      model: await resolveModel(spec, { environment }),
      ...{ history, text: 'And now?', tools: [], onEvent: log.onEvent },
      callTool: () => Promise.reject(new Error('no calls')),
      abortSignal: new AbortController().signal,
    });
    expect({ reason, text }).toEqual({ reason: 'completed', text: 'Yes.' });
    const [first, summary, second] = provider.requests.map(({ body }) => JSON.stringify(body[field]));
    expect(first).toContain('question 0');
    expect(summary).toContain('User: question 0');
    expect(second).toContain('They asked twelve questions.');
    expect(second).toContain('And now?');
    expect(second).not.toContain('question 0');
    expect(log.types()).toContain('warning');
    expect(log.events.filter(({ type }) => type === 'text-delta')).toEqual([{ type: 'text-delta', text: 'Yes.' }]);
  });
});
