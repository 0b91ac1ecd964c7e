// The tools of the conformance suite in the host's process, or over stdio in one of their own.
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { definePlugin, type ToolCallContext, toTool } from '@toolpost/sdk';

type Execute = (input: Record<string, never>, context: ToolCallContext) => unknown;

const tools: Record<string, Execute> = {
  echo: ({ text }) => text,
  fail() {
    throw new Error('the printer is on fire');
  },
  metadata: () => ({
    content: [{ type: 'text', text: '21 degrees' }],
    structuredContent: { temp: 21 },
    metadata: { kind: 'weather' },
  }),
  blocks: () => ({ content: ['one', 'two'].map((text) => ({ type: 'text', text })), isError: true }),
  async sleep({ ms, tag }, { abortSignal }) {
    await sleep(ms, undefined, { signal: abortSignal });
    return tag;
  },
  stream({ lines }, context) {
    for (let line = 1; line <= lines; line++) {
      context.output(`line ${line}\n`, line % 2 ? 'stdout' : 'stderr');
      context.progress({ progress: line, total: lines, message: `${line} of ${lines}` });
    }
    return `streamed ${lines} lines`;
  },
  async never({ startedFile, stoppedFile }, { abortSignal }) {
    writeFileSync(startedFile, '');
    await new Promise((resolve) => abortSignal.addEventListener('abort', resolve));
    writeFileSync(stoppedFile, '');
    return 'stopped';
  },
  crash() {
    process.stderr.write('fatal: the tape is torn\n', () => process.exit(7));
    return new Promise(() => {});
  },
  large: ({ bytes }) => 'x'.repeat(bytes),
  spawn() {
    const inside = spawn('sleep', ['300'], { stdio: 'ignore' });
    const outside = spawn('sleep', ['300'], { stdio: 'ignore', detached: true });
    return JSON.stringify([inside.pid, outside.pid]);
  },
  async remember({ key, value }, { storage }) {
    await storage.set(key, value);
    const found = await storage.get(key);
    await storage.delete(key);
    return JSON.stringify({ found, gone: (await storage.get(key)) ?? null });
  },
  settings: (_input, { settings }) => JSON.stringify(settings),
  async question(_input, context) {
    const schema = { type: 'object', properties: { colour: { type: 'string' } } };
    return JSON.stringify(await context.ask({ message: 'Which colour?', schema }));
  },
  where(_input, { session, roots, toolCallId }) {
    const { id: sessionId, ...rest } = session;
    return JSON.stringify({ sessionId, ...rest, roots, toolCallId });
  },
};

export default definePlugin({
  tools: Object.entries(tools).map(([name, execute]) => toTool({ name, description: `The tool ${name}.`, execute })),
  enrichers: [
    { name: 'who', priority: 10, enrich: ({ user }) => `The user is ${user}.` },
    {
      name: 'torn',
      enrich() {
        throw new Error('the page is torn');
      },
    },
  ],
  hooks: [
    {
      event: 'PreToolUse',
      matcher: 'e*',
      handler({ toolInput }) {
        if (toolInput.includes('snake')) return { decision: 'deny', message: 'no snakes here' };
        if (toolInput.includes('lower')) return { decision: 'allow', updatedInput: { text: 'LOWER' } };
        return { decision: 'allow' };
      },
    },
  ],
});
