import {
  type ContentRequest,
  isJsonObject,
  type JsonObject,
  type PluginContent,
  type PromptArgument,
  type PromptDeclaration,
  quoteValue,
  type ResourceDeclaration,
  type ResourceTemplateDeclaration,
  readPluginContent,
} from '@toolpost/protocol';
import type { AskAnswer, AskForm } from '../tool-call-context.ts';
import type { EnricherSession } from './enrichers.ts';

type Awaitable<T> = T | Promise<T>;
type Texts = Readonly<Record<string, string>>;

/** The context in which content is read. */
export interface ContentContext {
  readonly session: EnricherSession;
  /** Aborts when the client does not want it any more, or its time is up. */
  readonly abortSignal: AbortSignal;
  /** As in ToolCallContext: `cancel` where nobody can answer. */
  ask(form: AskForm): Promise<AskAnswer>;
}

/** Text or bytes, or MCP's contents (`{uri?, mimeType?, text | blob}`, alone or in a list). */
export type ResourceValue = string | Uint8Array | JsonObject | readonly JsonObject[];

/** Offers the values that begin with `value`; `given` are the other arguments. At most 100 are shown. */
export type Completer = (value: string, given: Texts) => Awaitable<readonly string[]>;

export interface PluginResource extends ResourceDeclaration {
  read(context: ContentContext): Awaitable<ResourceValue>;
}

export interface PluginResourceTemplate extends ResourceTemplateDeclaration {
  read(variables: Texts, context: ContentContext & { readonly uri: string }): Awaitable<ResourceValue>;
  /** By the variable's name. */
  complete?: Readonly<Record<string, Completer>>;
}

export interface PluginPrompt extends Omit<PromptDeclaration, 'arguments'> {
  arguments?: (PromptArgument & { complete?: Completer })[];
  /** A text is the user's one message; else MCP's messages, alone or with a `description`. */
  get(given: Texts, context: ContentContext): Awaitable<string | JsonObject | readonly JsonObject[]>;
}

/** What a plugin contributes beside tools, for clients of MCP. */
export interface ContentOptions {
  resources?: readonly PluginResource[];
  resourceTemplates?: readonly PluginResourceTemplate[];
  prompts?: readonly PluginPrompt[];
}

/** The content of a plugin: what it declares, and what answers for it. */
export interface OfferedContent {
  readonly declared: PluginContent;
  /** @throws what the plugin threw; Error when it has nothing of that name. */
  answer(request: ContentRequest, context: ContentContext): Promise<unknown>;
}

/**
 * Checks content that may come from plain JavaScript.
 * @throws TypeError that names the place.
 */
export function toContent({ resources = [], resourceTemplates = [], prompts = [] }: ContentOptions): OfferedContent {
  for (const [index, { read }] of resources.entries()) requireFunction(read, `resources[${index}].read`);
  for (const [index, { read }] of resourceTemplates.entries())
    requireFunction(read, `resourceTemplates[${index}].read`);
  for (const [index, { get }] of prompts.entries()) requireFunction(get, `prompts[${index}].get`);
  const offered = { resources, resourceTemplates, prompts };
  return {
    declared: readPluginContent({ ...offered }),
    answer: async (request, context) => answer(offered, request, context),
  };
}

function requireFunction(value: unknown, place: string): void {
  if (typeof value !== 'function') throw new TypeError(`${place} must be a function, got ${quoteValue(value)}`);
}

function answer(offered: Required<ContentOptions>, request: ContentRequest, context: ContentContext): unknown {
  if (request.kind === 'resource') return read(offered, request, context);
  if (request.kind === 'completion') return complete(offered, request);
  const prompt = offered.prompts.find(({ name }) => name === request.name);
  if (!prompt) throw new Error(`Unknown prompt: ${request.name}`);
  return prompt.get(request.arguments, context);
}

type ReadRequest = Extract<ContentRequest, { kind: 'resource' }>;

function read(offered: Required<ContentOptions>, request: ReadRequest, context: ContentContext): unknown {
  const { uri, uriTemplate, variables = {} } = request;
  const resource = offered.resources.find((one) => one.uri === uri);
  if (resource) return resource.read(context);
  const template = offered.resourceTemplates.find((one) => one.uriTemplate === uriTemplate);
  if (!template) throw new Error(`Unknown resource: ${uri}`);
  const { session, abortSignal, ask } = context;
  return template.read(variables, { session, abortSignal, ask, uri });
}

type CompletionRequest = Extract<ContentRequest, { kind: 'completion' }>;

function complete(offered: Required<ContentOptions>, request: CompletionRequest): unknown {
  const { prompt: promptName, uriTemplate, argument, value, given } = request;
  const template = offered.resourceTemplates.find((one) => one.uriTemplate === uriTemplate);
  const prompt = offered.prompts.find(({ name }) => name === promptName);
  const ofPrompt = prompt?.arguments?.find(({ name }) => name === argument)?.complete;
  const completer = ofPrompt ?? ownOf(template?.complete, argument);
  return completer ? completer(value, given) : [];
}

function ownOf(completers: Readonly<Record<string, Completer>> | undefined, name: string): Completer | undefined {
  return isJsonObject(completers) && Object.hasOwn(completers, name) ? completers[name] : undefined;
}
