// The tools of the conformance suite, written once: they run in the host's process, in one of their own, and in a
// component that `toolpost build` makes.
import { defineTool, type ToolCallContext, toTool } from '@toolpost/sdk';
import { openFiles } from '@toolpost/sdk/fs';
import { z } from 'zod';

type Input = Record<string, never>;

function tool(name: string, execute: (input: Input, context: ToolCallContext) => unknown) {
  return toTool({ name, description: `The tool ${name}.`, execute });
}

export const echo = defineTool({
  name: 'echo',
  description: 'The tool echo.',
  inputSchema: z.object({ text: z.string() }),
  execute: ({ text }) => text,
});

export const tools = [
  tool('fail', () => {
    throw new Error('the printer is on fire');
  }),
  tool('metadata', () => ({
    content: [{ type: 'text', text: '21 degrees' }],
    structuredContent: { temp: 21 },
    metadata: { kind: 'weather' },
  })),
  tool('blocks', () => ({ content: ['one', 'two'].map((text) => ({ type: 'text', text })), isError: true })),
  tool('sleep', async ({ ms, tag }, { abortSignal }) => {
    await new Promise<void>((resolve, reject) => {
      setTimeout(resolve, ms);
      abortSignal.addEventListener('abort', () => reject(abortSignal.reason));
    });
    return tag;
  }),
  tool('stream', ({ lines }, context) => {
    for (let line = 1; line <= lines; line++) {
      context.output(`line ${line}\n`, line % 2 ? 'stdout' : 'stderr');
      context.progress({ progress: line, total: lines, message: `${line} of ${lines}` });
    }
    return `streamed ${lines} lines`;
  }),
  tool('never', async ({ startedFile, stoppedFile }, context) => {
    const files = openFiles(context);
    // Listened to before anybody can know that it runs.
    const aborted = new Promise<void>((resolve) => context.abortSignal.addEventListener('abort', () => resolve()));
    await files.writeTextFile(startedFile, '');
    await aborted;
    await files.writeTextFile(stoppedFile, '');
    return 'stopped';
  }),
  tool('large', ({ bytes }) => 'x'.repeat(bytes)),
  tool('remember', async ({ key, value }, { storage }) => {
    await storage.set(key, value);
    const found = await storage.get(key);
    await storage.delete(key);
    return JSON.stringify({ found, gone: (await storage.get(key)) ?? null });
  }),
  tool('settings', (_input, { settings }) => JSON.stringify(settings)),
  tool('question', async (_input, context) => {
    const schema = { type: 'object', properties: { colour: { type: 'string' } } };
    return JSON.stringify(await context.ask({ message: 'Which colour?', schema }));
  }),
  tool('where', (_input, { session, roots, toolCallId }) => {
    const { id: sessionId, ...rest } = session;
    return JSON.stringify({ sessionId, ...rest, roots, toolCallId });
  }),
];

export { described, details } from './details.ts';
