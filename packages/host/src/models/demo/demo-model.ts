import { setTimeout } from 'node:timers/promises';
import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4FinishReason,
  LanguageModelV4FunctionTool,
  LanguageModelV4Message,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from '@ai-sdk/provider';
import { DRAWING_TOOL, drawInterface, isToBeDrawn } from './draw-interface.ts';
import { fillArguments } from './fill-arguments.ts';
import { type PickedTool, pickTool } from './pick-tool.ts';
import { propertiesOf } from './property.ts';
import { resultsText } from './result-text.ts';
import { readSentence } from './sentence.ts';

/** What the demo says next, and the one call it makes, if any. */
interface Answer {
  readonly text: string;
  readonly call?: { readonly name: string; readonly input: string };
  /** It is written as slowly as a model does, so that one sees it grow. */
  readonly isSlow?: boolean;
}

const NO_USAGE: LanguageModelV4Usage = {
  inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
};
const MAX_LISTED_TOOLS = 20;
const [PIECE_CHARS, PIECE_MS] = [24, 15];
const WHAT_I_AM = 'I am the demo model: a set of rules without a language model.';
const HOW_I_DRAW = `${WHAT_I_AM} I can draw, but only in the page of \`toolpost serve\`: open it, and ask me there.`;
const HOW_I_CHOOSE = 'I am the demo model, so I search the tools by your words.';

/**
 * A model that needs no key and no network, and says so. It searches the tools by the words of the request, calls
 * the one that fits, and answers with the result: one round of calls, then always an answer.
 */
export function createDemoModel(): LanguageModelV4 {
  let calls = 0;
  const nextId = () => `demo-${++calls}`;
  return {
    specificationVersion: 'v4',
    provider: 'toolpost.demo',
    modelId: 'demo',
    supportedUrls: {},
    async doGenerate(options) {
      options.abortSignal?.throwIfAborted();
      const answer = answerTo(options);
      return { ...toContent(answer, nextId), usage: NO_USAGE, warnings: [] };
    },
    async doStream(options) {
      options.abortSignal?.throwIfAborted();
      return { stream: ReadableStream.from(toStreamParts(answerTo(options), nextId)) };
    },
  };
}

function answerTo({ prompt, tools = [] }: LanguageModelV4CallOptions): Answer {
  const last = prompt.at(-1);
  if (last?.role === 'tool') return { text: resultsText(last.content) };
  const request = lastText(last);
  const offered = tools.filter((tool) => tool.type === 'function');
  const sentence = readSentence(request);
  const picked = pickTool(sentence, offered);
  const isNamed = picked !== undefined && picked.tool.name !== DRAWING_TOOL && picked.nameWords.length > 0;
  const drawing = isNamed ? undefined : drawInterface(sentence, offered);
  if (drawing) {
    const call = { name: DRAWING_TOOL, input: JSON.stringify(drawing.input) };
    return { text: drawing.text, call, isSlow: true };
  }
  if (!picked) return { text: isToBeDrawn(sentence) ? HOW_I_DRAW : whatICanDo(offered) };
  const { input, missing } = fillArguments(picked, sentence);
  if (missing.length > 0) return { text: askFor(picked, missing) };
  return {
    text: `${HOW_I_CHOOSE} I chose \`${picked.tool.name}\` because ${reason(picked)}.\n`,
    call: { name: picked.tool.name, input: JSON.stringify(input) },
  };
}

function reason({ nameWords, descriptionWords }: PickedTool): string {
  const name = quoteWords(nameWords);
  const description = quoteWords(descriptionWords);
  if (name && description) return `its name matches ${name} and its description ${description}`;
  return name ? `its name matches ${name}` : `its description matches ${description}`;
}

function quoteWords(words: readonly { text: string }[]): string {
  return [...new Set(words.map(({ text }) => `"${text}"`))].join(', ');
}

function askFor(picked: PickedTool, missing: readonly string[]): string {
  const properties = propertiesOf({ ...picked.tool.inputSchema });
  const wanted = missing.map((name) => {
    const description = properties.find((property) => property.name === name)?.schema.description;
    return typeof description === 'string' ? `\`${name}\` (${description})` : `\`${name}\``;
  });
  return [
    `${WHAT_I_AM} \`${picked.tool.name}\` fits, because ${reason(picked)}, but it needs ${wanted.join(' and ')}, and I cannot find that in your words.`,
    `Say it again with ${missing.map((name) => `${name}="..."`).join(' ')}.`,
  ].join(' ');
}

function whatICanDo(tools: readonly LanguageModelV4FunctionTool[]): string {
  const how =
    'For a real model, start Toolpost with --model openai:NAME, anthropic:NAME or openai-compatible:NAME@URL.';
  if (tools.length === 0) return `Hello. ${WHAT_I_AM} I can only call tools, and this session has none. ${how}`;
  const lines = tools.slice(0, MAX_LISTED_TOOLS).map((tool) => `- ${tool.name}: ${firstSentence(tool.description)}`);
  if (tools.length > lines.length) lines.push(`- and ${tools.length - lines.length} more`);
  const head = `Hello. ${WHAT_I_AM} I found no tool that fits your words. These I can call:`;
  // Without a blank line the last item of the list would go on.
  return [head, lines.join('\n'), how].join('\n\n');
}

function firstSentence(description = ''): string {
  return /^[^\n]*?[.!?](?=\s|$)|^[^\n]*/.exec(description.trim())?.[0] ?? '';
}

function lastText(message: LanguageModelV4Message | undefined): string {
  if (message?.role !== 'user') return '';
  return message.content.findLast((part) => part.type === 'text')?.text ?? '';
}

function finishOf({ call }: Answer): LanguageModelV4FinishReason {
  return { unified: call ? 'tool-calls' : 'stop', raw: undefined };
}

function toContent(answer: Answer, nextId: () => string) {
  const content: LanguageModelV4Content[] = [{ type: 'text', text: answer.text }];
  if (answer.call) {
    content.push({ type: 'tool-call', toolCallId: nextId(), toolName: answer.call.name, input: answer.call.input });
  }
  return { content, finishReason: finishOf(answer) };
}

async function* toStreamParts(answer: Answer, nextId: () => string): AsyncGenerator<LanguageModelV4StreamPart> {
  yield { type: 'stream-start', warnings: [] };
  yield { type: 'text-start', id: 'text' };
  for (const delta of answer.text.match(/\S*\s*/g) ?? [])
    if (delta !== '') yield { type: 'text-delta', id: 'text', delta };
  yield { type: 'text-end', id: 'text' };
  if (answer.call) {
    const { name, input } = answer.call;
    const id = nextId();
    yield { type: 'tool-input-start', id, toolName: name };
    for (const delta of answer.isSlow ? piecesOf(input) : [input]) {
      if (answer.isSlow) await setTimeout(PIECE_MS);
      yield { type: 'tool-input-delta', id, delta };
    }
    yield { type: 'tool-input-end', id };
    yield { type: 'tool-call', toolCallId: id, toolName: name, input };
  }
  yield { type: 'finish', finishReason: finishOf(answer), usage: NO_USAGE };
}

/** Never within a pair of surrogates: a provider's pieces are whole characters too. */
function piecesOf(text: string): string[] {
  const characters = [...text];
  const starts = Array.from({ length: Math.ceil(characters.length / PIECE_CHARS) }, (_, at) => at * PIECE_CHARS);
  return starts.map((start) => characters.slice(start, start + PIECE_CHARS).join(''));
}
