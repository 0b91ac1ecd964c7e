import { isJsonObject, type JsonObject } from '@toolpost/protocol';
import type { AskAnswer, AskForm } from '@toolpost/sdk';
import type { ApprovalAnswer, ApprovalRequest, Approver } from '../call-path/approver.ts';
import { compileSchema } from '../call-path/compile-schema.ts';
import type { Exchange } from './exchange.ts';

/** Asks the client's user whether a call may run; undefined where the client has no forms. */
export function createApprover(exchange: Exchange): Approver | undefined {
  if (!exchange.capabilities.elicitation) return undefined;
  return async (request) => {
    const params = { message: questionOf(request), requestedSchema: answerSchema(request) };
    const answer = await exchange.ask({ method: 'elicitation/create', params, mayBeAnsweredAhead: false });
    return readApproval(answer, exchange.session.user || "the MCP client's user");
  };
}

function readApproval({ action, content }: JsonObject, by: string): ApprovalAnswer {
  const answer = action === 'accept' && isJsonObject(content) ? content.answer : undefined;
  if (answer === 'once' || answer === 'session' || answer === 'always') return { answer, by };
  return { answer: 'no', by };
}

function questionOf({ plugin, name, reason, arguments: input, preview }: ApprovalRequest): string {
  const what = plugin === 'builtin' ? `the built-in ${name}` : `${name} of plugin ${plugin}`;
  const lines = [`Allow ${what}? (${reason})`, `Arguments: ${input}`];
  if (preview !== undefined) lines.push(plugin === 'builtin' ? preview : `Preview, as ${plugin} tells it:\n${preview}`);
  return escapeHidden(lines.join('\n'));
}

function answerSchema({ mayBeKept }: ApprovalRequest): JsonObject {
  const answers = ['once', 'session', ...(mayBeKept ? ['always'] : []), 'no'];
  const always = mayBeKept ? ', always: also in later sessions here' : '';
  return {
    type: 'object',
    properties: {
      answer: {
        type: 'string',
        title: 'May it run?',
        description: `once: this call, session: the same call again in this session${always}, no: not at all`,
        enum: answers,
      },
    },
    required: ['answer'],
  };
}

/** Characters that hide or reorder text would show the person something else than what will run. */
function escapeHidden(text: string): string {
  return text.replaceAll(
    /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}

/** Passes a tool's question on to the client's user; undefined where the client has no forms. */
export function createAsk(exchange: Exchange): ((form: AskForm) => Promise<AskAnswer>) | undefined {
  if (!exchange.capabilities.elicitation) return undefined;
  return async ({ message, schema, name }) => {
    const params = { message, requestedSchema: { ...schema, type: 'object' } };
    const question = { method: 'elicitation/create', params, name, mayBeAnsweredAhead: true } as const;
    const answer = await exchange.ask(question).catch((error: unknown) => {
      // Nobody waits for an answer to a call that is over.
      if (exchange.abortSignal.aborted) return { action: 'cancel' };
      throw error;
    });
    return readAnswer(answer, schema);
  };
}

/** @throws Error when what was accepted does not fit the form: the tool would take it for what it asked for. */
async function readAnswer({ action, content }: JsonObject, schema: JsonObject): Promise<AskAnswer> {
  if (action !== 'accept') return { action: action === 'decline' ? 'decline' : 'cancel' };
  const given = isJsonObject(content) ? content : {};
  const validate = await compileSchema(schema);
  if (validate(given)) return { action, content: given };
  const [problem] = validate.errors ?? [];
  const reason = problem ? `${problem.instancePath || 'it'} ${problem.message}` : 'it is wrong';
  throw new Error(`the user's answer does not fit what was asked for: ${reason}`);
}
