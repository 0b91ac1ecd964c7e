import { isJsonObject, quoteValue, spawnText } from '@toolpost/protocol';
import { LinkRefusal } from '../host-link.ts';
import type { GuestAnswer, GuestCall, GuestServices, GuestTools, GuestWorld } from './guest-world.ts';

const TOOL_INTERFACE = 'ein:plugin/tool';

/** The resource `tool` of `ein:plugin/plugin` (section 11 of the reference), in jco's convention. */
interface EinTool {
  name(): string;
  schema(): string;
  /** @throws the error text itself. */
  call(id: string, args: string): string;
  primaryArg(): string | undefined;
}

/**
 * Seed B's world: one tool, JSON texts in and out. Its older form also exports `enable-chunk-sender`, which is never
 * called: streaming needs no enabling.
 */
export const einWorld: GuestWorld = {
  isExportedBy: (exports) => exports.includes(TOOL_INTERFACE),
  createImports: (services) => ({
    'ein:host/host': { log: (message: string) => services.log(message) },
    'ein:plugin/process': { spawn: (command: string) => spawn(command, services) },
  }),
  open(exports) {
    const tool = constructTool(exports[TOOL_INTERFACE]);
    return { declare: () => [declarationOf(tool)], call: (call) => callTool(tool, call) } satisfies GuestTools;
  },
};

function constructTool(tools: unknown): EinTool {
  const { Tool } = tools as { Tool: new () => EinTool };
  return new Tool();
}

function declarationOf(tool: EinTool): unknown {
  const name = tool.name();
  const schema = parseJson(tool.schema(), 'its schema');
  const declared = isJsonObject(schema) && isJsonObject(schema.function) ? schema.function : schema;
  if (!isJsonObject(declared)) throw new Error(`its schema is no object: ${quoteValue(declared)}`);
  const primaryArg = tool.primaryArg();
  return { ...declared, name, ...(primaryArg !== undefined && { primaryArg }) };
}

function callTool(tool: EinTool, { id, input }: GuestCall): GuestAnswer {
  let answer: string;
  try {
    answer = tool.call(id, input);
  } catch (error) {
    // The error of a `result<string, string>`; a trap is an Error.
    if (typeof error === 'string') return { kind: 'failed', message: error };
    throw error;
  }
  return readAnswer(answer, id);
}

/** The JSON of a result: `{tool_call_id, content, metadata?}`. */
function readAnswer(text: string, id: string): GuestAnswer {
  const refuse = (what: string): GuestAnswer => ({
    kind: 'failed',
    message: `The plugin's answer is refused: ${what}.`,
  });
  const [answer] = parsed(text);
  if (!isJsonObject(answer)) return refuse(`it is no JSON object with content: ${quoteValue(text)}`);
  const { tool_call_id: answeredId, content, metadata } = answer;
  if (answeredId !== id)
    return refuse(`its tool_call_id is ${quoteValue(answeredId)}, that of the call is ${quoteValue(id)}`);
  if (typeof content !== 'string') return refuse(`its content is no text: ${quoteValue(content)}`);
  if (metadata === undefined || metadata === null) return { kind: 'result', value: { content } };
  // Any JSON is allowed there; a result carries an object.
  return { kind: 'result', value: { content, metadata: isJsonObject(metadata) ? metadata : { value: metadata } } };
}

function parsed(text: string): [value?: unknown] {
  try {
    return [JSON.parse(text)];
  } catch {
    return [];
  }
}

function parseJson(text: string, what: string): unknown {
  const found = parsed(text);
  if (found.length === 0) throw new Error(`${what} is no JSON: ${quoteValue(text)}`);
  return found[0];
}

/** A refusal is the error of the guest's `result`. */
function spawn(command: string, services: GuestServices): string {
  try {
    return spawnText(services.spawn({ command }));
  } catch (error) {
    if (error instanceof LinkRefusal) throw error.message;
    throw error;
  }
}
