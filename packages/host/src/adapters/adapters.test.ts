import { defineTool } from '@toolpost/sdk';
import { generateText, jsonSchema, stepCountIs } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { expect, it } from 'vitest';
import { createHostWorld } from '../fixtures/host-world.ts';
import { open } from '../fixtures/open-host.ts';
import type { HostOptions } from '../host-options.ts';
import { toolsForAiSdk } from './ai-sdk.ts';
import { toolsForAnthropic } from './anthropic.ts';
import { toolsForLangChain } from './langchain.ts';
import { toolsForOpenAiChat, toolsForOpenAiResponses } from './openai.ts';

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=';

const NUMBER = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] } as const;

const double = defineTool({
  name: 'math.double',
  description: 'Doubles a number.',
  inputSchema: NUMBER,
  execute: ({ n }: { n: number }) => `${n * 2}`,
});
const wait = defineTool({
  name: 'wait',
  description: 'Waits until it is cancelled.',
  execute: (_, { abortSignal }) =>
    new Promise((_resolve, reject) => abortSignal.addEventListener('abort', () => reject(new Error('given up')))),
});
const draw = defineTool({
  name: 'draw',
  description: 'Draws a pixel.',
  execute: () => ({ content: [{ type: 'image', data: PIXEL, mimeType: 'image/png' }] }),
});
const erase = defineTool({ name: 'erase', description: 'Erases the disk.', execute: () => 'erased' });

async function openTools(options: Partial<HostOptions> = {}) {
  const given = { tools: [double, wait, draw, erase], yes: false, allow: ['math.double', 'wait', 'draw'], ...options };
  const { host, session } = await open(createHostWorld(), given);
  const [alias] = (await toolsForAnthropic(host, session)).tools.flatMap(({ name }) =>
    name.startsWith('math_double') ? [name] : [],
  );
  return { host, session, alias: alias ?? '' };
}

it('gives the AI SDK tools that generateText calls, with what the model reads of them', async () => {
  const { host, session, alias } = await openTools();
  const { tools, warnings } = await toolsForAiSdk(host, session, { jsonSchema });
  expect(warnings).toEqual([]);
  const usage = {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  };
  const asked: unknown[] = [];
  const model = new MockLanguageModelV4({
    async doGenerate({ prompt, tools: offered }) {
      asked.push(prompt.at(-1)?.role === 'tool' ? prompt.at(-1)?.content : offered?.map(({ name }) => name));
      const calls = [
        { type: 'tool-call' as const, toolCallId: 'one', toolName: alias, input: '{"n": "21"}' },
        { type: 'tool-call' as const, toolCallId: 'two', toolName: 'erase', input: '{}' },
      ];
      const isFirst = asked.length === 1;
      return {
        content: isFirst ? calls : [{ type: 'text', text: 'done' }],
        finishReason: { unified: isFirst ? 'tool-calls' : 'stop', raw: undefined },
        usage,
        warnings: [],
      };
    },
  });
  const { text } = await generateText({ model, tools, prompt: 'double 21', stopWhen: stepCountIs(3) });
  expect(text).toBe('done');
  expect(asked[0]).toEqual(expect.arrayContaining([alias, 'erase']));
  expect(asked[1]).toMatchObject([
    { toolCallId: 'one', output: { type: 'text', value: '42' } },
    { toolCallId: 'two', output: { type: 'error-text', value: expect.stringContaining("needs the user's yes") } },
  ]);
});

it('cancels the call of a tool when the AI SDK does', async () => {
  const { host, session } = await openTools();
  const { tools } = await toolsForAiSdk(host, session, { jsonSchema });
  const controller = new AbortController();
  const ended = tools.wait?.execute({}, { toolCallId: 'one', abortSignal: controller.signal });
  controller.abort();
  expect(await ended).toMatchObject({ outcome: 'cancelled', isError: true });
});

it("speaks OpenAI's two APIs: its tools, and an answer to each call", async () => {
  const { host, session, alias } = await openTools();
  const chat = await toolsForOpenAiChat(host, session);
  const parameters = NUMBER;
  expect(chat.tools).toContainEqual({
    type: 'function',
    function: { name: alias, description: 'Doubles a number.', parameters },
  });
  const call = (name: string, text: string) => ({ id: 'call_1', function: { name, arguments: text } });
  expect(await chat.answer(call(alias, '{"n": 21}'))).toEqual({ role: 'tool', tool_call_id: 'call_1', content: '42' });
  expect((await chat.answer(call(alias, '{"n": '))).content).toContain('not complete JSON');
  expect((await chat.answer(call('draw', ''))).content).toBe('(image, image/png, not shown here)');

  const responses = await toolsForOpenAiResponses(host, session);
  expect(responses.tools).toContainEqual({
    ...{ type: 'function', name: alias, description: 'Doubles a number.', parameters, strict: false },
  });
  expect(await responses.answer({ call_id: 'c', name: 'erase', arguments: '{}' })).toEqual({
    ...{ type: 'function_call_output', call_id: 'c', output: expect.stringContaining("needs the user's yes") },
  });
});

it("speaks Anthropic's messages, with images, and marks errors", async () => {
  const { host, session, alias } = await openTools();
  const { tools, answer } = await toolsForAnthropic(host, session);
  expect(tools).toContainEqual({
    ...{ name: alias, description: 'Doubles a number.', input_schema: NUMBER },
  });
  expect(await answer({ id: 'u1', name: alias, input: { n: 21 } })).toEqual({
    ...{ type: 'tool_result', tool_use_id: 'u1', is_error: false, content: [{ type: 'text', text: '42' }] },
  });
  expect(await answer({ id: 'u2', name: 'draw', input: {} })).toMatchObject({
    content: [{ type: 'text' }, { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PIXEL } }],
  });
  expect(await answer({ id: 'u3', name: 'erase', input: {} })).toMatchObject({ is_error: true });
});

it("makes LangChain's tools by its own function, with the call record as artifact", async () => {
  const { host, session, alias } = await openTools();
  type Given = Parameters<Parameters<typeof toolsForLangChain<Made>>[2]['tool']>;
  type Made = { run: Given[0]; fields: Given[1] };
  const { tools } = await toolsForLangChain<Made>(host, session, { tool: (run, fields) => ({ run, fields }) });
  const made = tools.find(({ fields }) => fields.name === alias);
  expect(made?.fields).toMatchObject({ schema: NUMBER, responseFormat: 'content_and_artifact' });
  const [content, artifact] = (await made?.run({ n: 21 }, { toolCall: { id: 'lc' } })) ?? [];
  expect([content, artifact]).toMatchObject(['42', { id: 'lc', name: 'math.double', outcome: 'completed' }]);
});

it('asks whom the program gives for a call that needs a yes, and tells what is left out', async () => {
  const { host, session } = await openTools();
  const asked: string[] = [];
  const { tools, warnings, answer } = await toolsForOpenAiChat(host, session, {
    maxTools: 2,
    approve: async ({ name }) => {
      asked.push(name);
      return { answer: 'once', by: 'ann' };
    },
  });
  expect(tools).toHaveLength(2);
  expect(warnings).toEqual([expect.stringContaining('the model is offered 2 of')]);
  expect(await answer({ id: 'x', function: { name: 'erase', arguments: '{}' } })).toMatchObject({ content: 'erased' });
  expect(asked).toEqual(['erase']);
});

it('answers calls that are none, and arguments that are no JSON, in words', async () => {
  const { host, session, alias } = await openTools();
  const cyclic: { self?: unknown } = {};
  cyclic.self = cyclic;
  const { answer } = await toolsForAnthropic(host, session);
  for (const input of [cyclic, { n: 1n }])
    expect(await answer({ id: 'u', name: alias, input })).toMatchObject({
      is_error: true,
      content: [{ text: expect.stringContaining('arguments') }],
    });
  const chat = await toolsForOpenAiChat(host, session);
  const custom = JSON.parse('{"id": "x", "type": "custom", "custom": {}}');
  expect(await chat.answer(custom)).toMatchObject({ content: expect.stringContaining('There is no tool named ""') });
  const { tools } = await toolsForAiSdk(host, session, { jsonSchema });
  expect(await tools[alias]?.execute({ n: 2 })).toMatchObject({ text: '4' });
});
