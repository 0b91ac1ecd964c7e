// The tools of the conformance suite as an MCP server: `main.mjs session` speaks revisions up to 2025-11-25,
// `main.mjs request` speaks 2026-07-28.
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

const isRequestEra = process.argv[2] === 'request';
const META = 'io.modelcontextprotocol/';
const calls = new Map();
const requests = new Map();
let lastRequest = 0;

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const text = (value) => ({ content: [{ type: 'text', text: value }] });

/** Asks in the course of a call: by a request of its own, or by an answer that asks back. */
function elicit(params, answers) {
  if (isRequestEra) {
    if (answers?.colour) return answers.colour;
    throw Object.assign(new Error(), {
      asks: { resultType: 'input_required', inputRequests: { colour: { method: 'elicitation/create', params } } },
    });
  }
  const id = `q${++lastRequest}`;
  send({ id, method: 'elicitation/create', params });
  return new Promise((resolve) => requests.set(id, resolve));
}

const tools = {
  echo: ({ text: said }) => text(said),
  fail() {
    throw new Error('the printer is on fire');
  },
  metadata: () => ({ ...text('21 degrees'), structuredContent: { temp: 21 }, _meta: { kind: 'weather' } }),
  blocks: () => ({ content: ['one', 'two'].map((said) => ({ type: 'text', text: said })), isError: true }),
  async sleep({ ms, tag }, { signal }) {
    await sleep(ms, undefined, { signal });
    return text(tag);
  },
  async stream({ lines }, { progress }) {
    for (let line = 1; line <= lines; line++)
      progress({ progress: line, total: lines, message: `${line} of ${lines}` });
    return text(`streamed ${lines} lines`);
  },
  async never({ startedFile, stoppedFile }, { signal }) {
    writeFileSync(startedFile, '');
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    writeFileSync(stoppedFile, '');
    return text('stopped');
  },
  crash() {
    process.stderr.write('fatal: the tape is torn\n', () => process.exit(7));
    return new Promise(() => {});
  },
  large: ({ bytes }) => text('x'.repeat(bytes)),
  spawn() {
    const inside = spawn('sleep', ['300'], { stdio: 'ignore' });
    const outside = spawn('sleep', ['300'], { stdio: 'ignore', detached: true });
    return text(JSON.stringify([inside.pid, outside.pid]));
  },
  async question(_input, { answers }) {
    const requestedSchema = {
      type: 'object',
      properties: { colour: { type: 'string' }, size: { type: 'string', default: 'large' } },
    };
    return text(JSON.stringify(await elicit({ message: 'Which colour?', requestedSchema }, answers)));
  },
};

const declared = Object.keys(tools).map((name) => ({
  name,
  description: `The tool ${name}.`,
  inputSchema: { type: 'object' },
}));

async function call(id, { name, arguments: input, inputResponses: answers, _meta }) {
  const controller = new AbortController();
  calls.set(id, controller);
  const progress = (update) =>
    send({ method: 'notifications/progress', params: { progressToken: _meta.progressToken, ...update } });
  try {
    return await tools[name](input, { signal: controller.signal, progress, answers });
  } catch (error) {
    return error.asks ?? { ...text(error.message), isError: true };
  } finally {
    calls.delete(id);
  }
}

const SERVER = { name: 'conformance', version: '1.0.0' };
const capabilities = { tools: { listChanged: true } };

const methods = {
  'tools/list': () => ({ tools: declared }),
  'tools/call': (params, id) => call(id, params),
  ...(isRequestEra
    ? {
        'server/discover': () => ({ supportedVersions: ['2026-07-28'], capabilities, ttlMs: 0, cacheScope: 'private' }),
      }
    : {
        initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities, serverInfo: SERVER }),
        ping: () => ({}),
      }),
};

async function answer({ id, method, params = {} }) {
  if (!Object.hasOwn(methods, method)) return send({ id, error: { code: -32601, message: `no ${method}` } });
  if (isRequestEra && params._meta?.[`${META}protocolVersion`] !== '2026-07-28')
    return send({ id, error: { code: -32602, message: 'the request does not say its protocol version' } });
  const result = await methods[method](params, id);
  send({
    id,
    result: isRequestEra ? { resultType: 'complete', _meta: { [`${META}serverInfo`]: SERVER }, ...result } : result,
  });
}

for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  if (message.method === undefined) requests.get(message.id)?.(message.result);
  else if (message.id !== undefined) void answer(message);
  else if (message.method === 'notifications/cancelled') calls.get(message.params.requestId)?.abort();
}
process.exit(0);
