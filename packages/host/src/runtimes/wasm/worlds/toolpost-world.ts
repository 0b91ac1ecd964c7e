import { messageOf, type OutputStream } from '@toolpost/protocol';
import type { AskAnswer, LogLevel } from '@toolpost/sdk';
import { LinkRefusal } from '../host-link.ts';
import { type CancelWatch, createCancelWatch } from './cancel-watch.ts';
import type { GuestAnswer, GuestCall, GuestServices, GuestTools, GuestWorld, SpawnResult } from './guest-world.ts';
import {
  fromWireDefinition,
  fromWireResult,
  jsonObject,
  type WireDefinition,
  type WireResult,
} from './toolpost-wire.ts';

const TOOLS = 'toolpost:plugin/tools';
/** A guest that names a longer time is asked to wait again. */
const LONGEST_WAIT_MS = 60_000;

/** The interface `tools` of `toolpost:plugin`, in jco's convention: the error of a `result` is thrown as it is. */
interface ToolsInterface {
  definitions(settings: string): WireDefinition[];
  execute(tool: string, input: string, context: unknown): WireResult;
}

interface Progress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/** Where an instance's cancel watch is found by its imports and its tools. */
const watches = new WeakMap<GuestServices, CancelWatch>();

/** Our own world: several tools, typed records (packages/protocol/wit/plugin.wit). */
export const toolpostWorld: GuestWorld = {
  hearsCancel: true,
  isExportedBy: (exports) => exports.includes(TOOLS),
  createImports(services) {
    const watch = createCancelWatch(services.link);
    watches.set(services, watch);
    return {
      'toolpost:plugin/log': { write: (level: LogLevel, message: string) => services.log(message, level) },
      'toolpost:plugin/call': callImports(services, watch),
      'toolpost:plugin/storage': storageImports(services, false),
      'toolpost:plugin/shared-storage': storageImports(services, true),
      'toolpost:plugin/process': {
        spawn: (command: string, { workingDirectory: cwd }: { workingDirectory?: string }): SpawnResult =>
          asResult(() => services.spawn({ command, ...(cwd !== undefined && { cwd }) })),
      },
    };
  },
  open(exports, services) {
    const tools = exports[TOOLS] as ToolsInterface;
    const settings = JSON.stringify(services.settings);
    return {
      declare: () => declarationsOf(tools, settings),
      call(call) {
        watches.get(services)?.reset();
        return execute(tools, call, { settings, grants: services.grants });
      },
    } satisfies GuestTools;
  },
};

function callImports(services: GuestServices, watch: CancelWatch) {
  return {
    output: (text: string, stream: OutputStream) => services.output(text, stream),
    progress({ progress, total, message }: Progress) {
      const bounds = { ...(total !== undefined && { total }), ...(message !== undefined && { message }) };
      services.progress({ progress, ...bounds });
    },
    isCancelled: () => watch.isCancelled(),
    wait: (timeoutMs: number) => watch.wait(Math.min(timeoutMs, LONGEST_WAIT_MS)),
    ask(message: string, schemaText: string) {
      const schema = jsonObject(schemaText);
      if (!schema) throw 'ask: the schema is no JSON object';
      const { action, content } = asResult(() => services.link.request('ask', { message, schema })) as AskAnswer;
      return { action, content: content === undefined ? undefined : JSON.stringify(content) };
    },
  };
}

/** Values go as their JSON text. */
function storageImports({ link }: GuestServices, shared: boolean) {
  const ask = (kind: string, payload: object) => asResult(() => link.request(kind, { ...payload, shared }));
  return {
    get: (key: string) => ask('storage-get', { key }) as string | undefined,
    set: (key: string, value: string) => void ask('storage-set', { key, value }),
    delete: (key: string) => void ask('storage-delete', { key }),
    keys: (prefix: string) => ask('storage-keys', { prefix }) as string[],
  };
}

/** What the host refuses is the error of the guest's `result`. */
function asResult<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof LinkRefusal) throw error.message;
    throw error;
  }
}

function declarationsOf(tools: ToolsInterface, settings: string): readonly unknown[] {
  try {
    return tools.definitions(settings).map(fromWireDefinition);
  } catch (error) {
    throw typeof error === 'string' ? new Error(error) : error;
  }
}

interface Surroundings {
  readonly settings: string;
  readonly grants: GuestServices['grants'];
}

function execute(tools: ToolsInterface, call: GuestCall, surroundings: Surroundings): GuestAnswer {
  let result: WireResult;
  try {
    result = tools.execute(call.toolName, call.input, contextOf(call, surroundings));
  } catch (error) {
    if (typeof error === 'string') return { kind: 'failed', message: error };
    throw error;
  }
  try {
    return { kind: 'result', value: fromWireResult(result) };
  } catch (error) {
    const reason = messageOf(error);
    return { kind: 'failed', message: `The plugin's answer is refused: ${reason}.` };
  }
}

/** The record `call-context`. */
function contextOf({ id, session }: GuestCall, { settings, grants }: Surroundings) {
  const { id: sessionId, channel, chatId, tenant, user, roots, readOnlyRoots = [] } = session;
  return {
    callId: id,
    session: { id: sessionId, channel, chatId, tenant, user },
    roots: [...roots],
    readOnlyRoots: [...readOnlyRoots],
    settings,
    hosts: [...grants.hosts],
    maySpawn: grants.spawn,
  };
}
