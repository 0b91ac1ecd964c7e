// The tools of the conformance suite over version 2: many calls at once, streamed, cancelled, with requests to the host.
// With the argument `channel` they are those of a channel, in the words that a channel is called by.
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

const cancels = new Map();
const requests = new Map();
let lastRequest = 0;

const send = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);

function ask(method, params) {
  const id = `p${++lastRequest}`;
  send({ id, method, params });
  return new Promise((resolve, reject) => requests.set(id, { resolve, reject }));
}

const tools = {
  echo: ({ text }) => text,
  fail() {
    throw new Error('the printer is on fire');
  },
  metadata: () => ({ content: '21 degrees', structuredContent: { temp: 21 }, metadata: { kind: 'weather' } }),
  blocks: () => ({ content: ['one', 'two'].map((text) => ({ type: 'text', text })), isError: true }),
  async sleep({ ms, tag }, { signal }) {
    await sleep(ms, undefined, { signal });
    return tag;
  },
  async stream({ lines }, { id }) {
    for (let line = 1; line <= lines; line++) {
      send({ id, output: { stream: line % 2 ? 'stdout' : 'stderr', text: `line ${line}\n` } });
      send({ id, progress: { progress: line, total: lines, message: `${line} of ${lines}` } });
    }
    return `streamed ${lines} lines`;
  },
  async never({ startedFile, stoppedFile }, { signal }) {
    writeFileSync(startedFile, '');
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
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
  async remember({ key, value }, { id }) {
    await ask('storage_set', { callId: id, key, value });
    const found = await ask('storage_get', { callId: id, key });
    await ask('storage_delete', { callId: id, key });
    const gone = await ask('storage_get', { callId: id, key });
    return JSON.stringify({ found, gone });
  },
  async settings(_input, { id }) {
    return JSON.stringify(await ask('settings_get', { callId: id }));
  },
  async question(_input, { id }) {
    const schema = { type: 'object', properties: { colour: { type: 'string' } } };
    return JSON.stringify(await ask('ask', { callId: id, message: 'Which colour?', schema }));
  },
  async stranger() {
    return await ask('storage_get', { callId: 'no such call', key: 'k' }).catch((error) => `refused: ${error.message}`);
  },
  where: (_input, { context }) => JSON.stringify({ ...context, callId: undefined }),
};

async function run(id, { toolName, input, context }) {
  const controller = new AbortController();
  cancels.set(id, controller);
  try {
    send({ id, result: await tools[toolName](JSON.parse(input), { id, context, signal: controller.signal }) });
  } catch (error) {
    send({ id, error: error.message });
  }
  cancels.delete(id);
}

function hook({ toolInput }) {
  if (toolInput.includes('snake')) return { decision: 'deny', message: 'no snakes here' };
  if (toolInput.includes('lower')) return { decision: 'allow', updatedInput: { text: 'LOWER' } };
  return { decision: 'allow' };
}

const enrichers = [{ name: 'who', priority: 10 }, { name: 'torn' }];

function enrich({ enricherName, user }) {
  return enricherName === 'who' ? { result: `The user is ${user}.` } : { error: 'the page is torn' };
}

for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  const { id, method, params } = message;
  if (method === 'activate') {
    const declared = Object.keys(tools).map((name) => ({ name, description: `The tool ${name}.`, parameters: [] }));
    const more = { protocolVersion: 2, hooks: [{ event: 'PreToolUse', matcher: 'e*' }], enrichers };
    send(
      process.argv[2] === 'channel'
        ? { ...more, channel_provider: { name: 'conformance' } }
        : { ...more, tools: declared },
    );
  } else if (message.type === 'channel_config') {
    const declared = Object.keys(tools).map((name) => ({ name, description: `The tool ${name}.`, parameters: [] }));
    send({ type: 'channel_tools', tools: declared });
  } else if (message.type === 'rpc') {
    if (method === 'execute_tool') run(id, { ...params, toolName: params.name });
    else send({ id, error: `unknown method: ${method}` });
  } else if (method === 'execute_tool') run(id, params);
  else if (method === 'hook') send({ id, hook_result: hook(params) });
  else if (method === 'enrich') send({ id, ...enrich(params) });
  else if (method === 'cancel') cancels.get(params.id)?.abort();
  else if (method === 'deactivate') break;
  else if ('error' in message) requests.get(id)?.reject(new Error(message.error));
  else requests.get(id)?.resolve(message.result);
}
process.exit(0);
