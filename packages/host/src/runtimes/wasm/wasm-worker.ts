import { workerData } from 'node:worker_threads';
import { createPacedLog, messageOf } from '@toolpost/protocol';
import { withoutVersion } from './component/without-version.ts';
import { worldOf } from './component-world.ts';
import { createGuestOutput } from './guest-output.ts';
import { connectHostLink, type HostLink } from './host-link.ts';
import { MIB_IN_PAGES } from './memory-cap.ts';
import { ComponentProblem, type OpenComponent, openComponent } from './open-component.ts';
import { createPacedPosts } from './paced-posts.ts';
import { createWasi, GuestExit } from './wasi/create-wasi.ts';
import { createNetworkImports } from './wasi/network/create-network-imports.ts';
import { CALL, type CallAnswer, type CallMessage, type WorkerPosts, type WorkerStart } from './worker-messages.ts';
import type { GuestCall, GuestServices, GuestTools, SpawnRequest, SpawnResult } from './worlds/guest-world.ts';

const CALLS_PER_LOOP = 256;

/** The thread of one instance: it constructs the guest, then runs one call after the other. */
const start: WorkerStart = workerData;
const link: HostLink = connectHostLink(start.link);
let currentCall: GuestCall | undefined;
let component: OpenComponent | undefined;

function post<Kind extends keyof WorkerPosts>(kind: Kind, payload: WorkerPosts[Kind]): void {
  link.post(kind, payload);
}

const paced = createPacedPosts(link);
const log = createPacedLog(
  (message, level) => post('log', { message, level }),
  () => performance.now(),
);
const output = createGuestOutput(log);

const services: GuestServices = {
  link,
  settings: start.settings,
  grants: start.grants,
  get currentCall() {
    return currentCall;
  },
  log: (message, level) => log.write(message, level),
  output(text, stream = 'stdout') {
    if (currentCall) paced.post('output', { text, stream }, text.length);
  },
  progress(update) {
    if (currentCall) paced.post('progress', update, update.message?.length ?? 0);
  },
  spawn: (request: SpawnRequest) => link.request('spawn', request) as SpawnResult,
};

/** @throws what the guest throws. */
function construct(): GuestTools {
  const world = worldOf(start.exports, start.functions);
  if (!world) throw new ComponentProblem('exports no tool');
  const wasi = createWasi({
    roots: start.roots,
    hidden: start.hidden,
    reportProblem: (problem) => log.write(problem, 'warn'),
    environment: start.environment,
    write: output.write,
    wake: link.wake,
    network: createNetworkImports(link),
  });
  component = openComponent(start, { ...wasi, ...world.createImports(services) });
  const exports = Object.entries(component.exports).map(([name, value]) => [withoutVersion(name), value]);
  return world.open(Object.fromEntries(exports), services);
}

function runCall(tools: GuestTools, call: GuestCall): CallAnswer {
  currentCall = call;
  try {
    return tools.call(call);
  } catch (error) {
    return { kind: 'crashed', reason: describeEnd(error) };
  } finally {
    currentCall = undefined;
    output.endCall();
    log.flush();
  }
}

/** Why the guest is of no use any more, with its last words. */
function describeEnd(error: unknown): string {
  const words = output.lastWords();
  const quoted =
    words.length === 0 ? '.' : `. Its last lines on stderr:\n${words.map((line) => `  ${line}`).join('\n')}`;
  if (error instanceof ComponentProblem) return `${error.message}${quoted}`;
  if (error instanceof GuestExit) return `exited with status ${error.status}${quoted}`;
  const cap = component?.isMemoryFull() ? `; its memory was at the cap of ${start.memoryPages / MIB_IN_PAGES} MiB` : '';
  return `trapped: ${trapMessage(error)}${cap}${quoted}`;
}

function trapMessage(error: unknown): string {
  return messageOf(error).replace(/^wasm trap: /, '');
}

/**
 * Waits for calls by blocking the thread: woken that way it is at work in half the time that a message takes through an
 * event loop, which nothing else here needs.
 */
async function serveCalls(tools: GuestTools): Promise<never> {
  let next: GuestCall | undefined;
  let session: GuestCall['session'] | undefined;
  link.onPush(CALL, (payload) => {
    const call = payload as CallMessage;
    session = call.session ?? session;
    if (session) next = { ...call, session };
  });
  for (let calls = 1; ; calls += 1) {
    // The glue leaves promises behind, whose jobs run here; what V8 has to tell of garbage comes with the event loop.
    await (calls % CALLS_PER_LOOP === 0 ? new Promise(setImmediate) : undefined);
    while (!next) link.waitForPush();
    const call = next;
    next = undefined;
    post('answer', runCall(tools, call));
  }
}

function serve(): void {
  try {
    const tools = construct();
    const declarations = tools.declare();
    post('ready', { declarations, codeCache: component?.createCodeCache() });
    void serveCalls(tools);
  } catch (error) {
    post('broken', { reason: describeEnd(error) });
  } finally {
    output.endCall();
    log.flush();
  }
}

serve();
