import { isJsonObject, type JsonObject } from './json.ts';
import { quoteValue } from './quote-value.ts';

/** What a plugin contributes beside tools, in MCP's words: clients list it, and read it when they want it. */
export interface ResourceDeclaration {
  uri: string;
  name: string;
  title?: string;
  description?: string;
  mimeType?: string;
}

/** Resources whose URIs follow a template (RFC 6570): `notes://{day}`. */
export interface ResourceTemplateDeclaration extends Omit<ResourceDeclaration, 'uri'> {
  uriTemplate: string;
}

export interface PromptArgument {
  name: string;
  title?: string;
  description?: string;
  required?: boolean;
}

/** Messages that a user takes from a menu into a conversation. */
export interface PromptDeclaration {
  name: string;
  title?: string;
  description?: string;
  arguments?: PromptArgument[];
}

export interface PluginContent {
  readonly resources: readonly ResourceDeclaration[];
  readonly resourceTemplates: readonly ResourceTemplateDeclaration[];
  readonly prompts: readonly PromptDeclaration[];
}

export const NO_CONTENT: PluginContent = Object.freeze({ resources: [], resourceTemplates: [], prompts: [] });

type Texts = Readonly<Record<string, string>>;

/** Asks a plugin for a part of its content. `variables` are those that the template found in the URI. */
export type ContentRequest =
  | { readonly kind: 'resource'; readonly uri: string; readonly uriTemplate?: string; readonly variables?: Texts }
  | { readonly kind: 'prompt'; readonly name: string; readonly arguments: Texts }
  /** What may stand for an argument of a prompt, or a variable of a template, that begins with `value`. */
  | {
      readonly kind: 'completion';
      readonly prompt?: string;
      readonly uriTemplate?: string;
      readonly argument: string;
      readonly value: string;
      /** What the others are already. */
      readonly given: Texts;
    };

/**
 * Reads what an answer to `activate` says of a plugin's content.
 * @throws TypeError that names the field.
 */
export function readPluginContent(message: JsonObject): PluginContent {
  const { resources, resourceTemplates = message.resource_templates, prompts } = message;
  if (resources === undefined && resourceTemplates === undefined && prompts === undefined) return NO_CONTENT;
  return {
    resources: listOf(resources, 'resources').map((one, index) => readNamed(one, 'uri', `resources[${index}]`)),
    resourceTemplates: listOf(resourceTemplates, 'resourceTemplates').map((one, index) =>
      readNamed(one, 'uriTemplate', `resourceTemplates[${index}]`),
    ),
    prompts: listOf(prompts, 'prompts').map((one, index) => readPrompt(one, `prompts[${index}]`)),
  };
}

function readNamed<Key extends 'uri' | 'uriTemplate'>(
  value: unknown,
  key: Key,
  place: string,
): Record<Key, string> & Omit<ResourceDeclaration, 'uri'> {
  const declared = objectAt(value, place);
  const mimeType = declared.mimeType ?? declared.mime_type;
  const address = declared[key] ?? declared[key === 'uri' ? 'uri' : 'uri_template'];
  const named = { ...readTexts(declared, place), [key]: textAt(address, `${place}.${key}`) };
  if (mimeType !== undefined && mimeType !== null) named.mimeType = textAt(mimeType, `${place}.mimeType`);
  return named as Record<Key, string> & Omit<ResourceDeclaration, 'uri'>;
}

function readPrompt(value: unknown, place: string): PromptDeclaration {
  const declared = objectAt(value, place);
  const given = listOf(declared.arguments, `${place}.arguments`);
  return {
    ...readTexts(declared, place),
    ...(given.length > 0 && {
      arguments: given.map((one, index) => readArgument(one, `${place}.arguments[${index}]`)),
    }),
  };
}

function readArgument(value: unknown, place: string): PromptArgument {
  const declared = objectAt(value, place);
  return { ...readTexts(declared, place), ...(declared.required === true && { required: true }) };
}

interface NamedTexts {
  name: string;
  title?: string;
  description?: string;
  mimeType?: string;
}

function readTexts({ name, title, description }: JsonObject, place: string): NamedTexts {
  return {
    name: textAt(name, `${place}.name`),
    ...(title !== undefined && title !== null && { title: textAt(title, `${place}.title`) }),
    ...(description !== undefined &&
      description !== null && { description: textAt(description, `${place}.description`) }),
  };
}

function objectAt(value: unknown, place: string): JsonObject {
  if (isJsonObject(value)) return value;
  throw new TypeError(`${place} must be an object, got ${quoteValue(value)}`);
}

function textAt(value: unknown, place: string): string {
  if (typeof value === 'string' && value.trim() !== '') return value;
  throw new TypeError(`${place} must be non-empty text, got ${quoteValue(value)}`);
}

function listOf(value: unknown, place: string): readonly unknown[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value;
  throw new TypeError(`${place} must be a list, got ${quoteValue(value)}`);
}
