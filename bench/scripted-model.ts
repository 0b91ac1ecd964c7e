import type { LanguageModelV4, LanguageModelV4StreamPart } from '@ai-sdk/provider';

/** What the model says: `steps` answers that call `greet`, each after so many pieces of text, then one without a call. */
export interface Script {
  readonly steps: number;
  readonly textPieces: number;
}

export interface ScriptedModel {
  readonly model: LanguageModelV4;
  /**
   * From the first time that the model was asked to the last, in ms: that is `steps` whole tool steps, without what
   * starts and ends a turn. Throws when it was asked another number of times.
   */
  steppedMs(): number;
}

const PIECE = 'a piece of text ';
const USAGE = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

/** A model in memory that answers at once, streamed or whole. */
export function createScriptedModel({ steps, textPieces }: Script): ScriptedModel {
  const askedAt: number[] = [];
  const text = PIECE.repeat(textPieces);
  const model: LanguageModelV4 = {
    specificationVersion: 'v4',
    provider: 'scripted',
    modelId: 'script',
    supportedUrls: {},
    async doGenerate() {
      const call = nextCall();
      return {
        content: [
          ...(text === '' && call ? [] : [{ type: 'text' as const, text: text || 'Done.' }]),
          ...(call ? [call] : []),
        ],
        ...endOf(call !== undefined),
        warnings: [],
      };
    },
    async doStream() {
      return { stream: ReadableStream.from(toParts(nextCall(), textPieces)) };
    },
  };

  function nextCall() {
    const step = askedAt.push(performance.now());
    return step > steps ? undefined : callOf(step);
  }

  return {
    model,
    steppedMs() {
      const [first, last] = [askedAt[0], askedAt[steps]];
      if (first === undefined || last === undefined || askedAt.length !== steps + 1) {
        throw new Error(`the model was asked ${askedAt.length} times, not ${steps + 1} times`);
      }
      return last - first;
    },
  };
}

/** No two calls in a row are the same: Toolpost would stop a model that is stuck. */
function callOf(step: number) {
  const input = `{"name":"Ada Lovelace","times":${2 + (step % 2)},"isLoud":false}`;
  return { type: 'tool-call', toolCallId: `call-${step}`, toolName: 'greet', input } as const;
}

function toParts(call: ReturnType<typeof callOf> | undefined, textPieces: number): LanguageModelV4StreamPart[] {
  const parts: LanguageModelV4StreamPart[] = [{ type: 'stream-start', warnings: [] }];
  const pieces = call ? textPieces : Math.max(1, textPieces);
  if (pieces > 0) {
    parts.push({ type: 'text-start', id: 'text' });
    for (let piece = 0; piece < pieces; piece += 1) parts.push({ type: 'text-delta', id: 'text', delta: PIECE });
    parts.push({ type: 'text-end', id: 'text' });
  }
  if (call) {
    const id = call.toolCallId;
    parts.push({ type: 'tool-input-start', id, toolName: call.toolName });
    parts.push({ type: 'tool-input-delta', id, delta: call.input }, { type: 'tool-input-end', id }, call);
  }
  parts.push({ type: 'finish', ...endOf(call !== undefined) });
  return parts;
}

function endOf(isCalling: boolean) {
  return { finishReason: { unified: isCalling ? 'tool-calls' : 'stop', raw: undefined }, usage: USAGE } as const;
}
