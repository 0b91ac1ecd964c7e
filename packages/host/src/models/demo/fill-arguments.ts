import type { JsonObject } from '@toolpost/protocol';
import type { PickedTool } from './pick-tool.ts';
import { kindOf, type Property, propertiesOf } from './property.ts';
import { readValue } from './read-value.ts';
import type { Sentence } from './sentence.ts';
import { createTextSource } from './text-source.ts';

export interface FilledArguments {
  readonly input: JsonObject;
  /** Required properties for which the request says nothing. */
  readonly missing: readonly string[];
}

/**
 * Fills a tool's arguments from a request, by the tool's schema: what is written as JSON or `name=value` first,
 * then what only one kind of property can mean (paths, addresses, enum words, numbers), then quoted texts and the
 * words after the matched verb. Required properties come first; nothing is invented.
 */
export function fillArguments(picked: PickedTool, sentence: Sentence): FilledArguments {
  const properties = propertiesOf(picked.tool.inputSchema as JsonObject);
  const input: JsonObject = {};
  const fill = (property: Property, value: unknown) => {
    if (value !== undefined) input[property.name] = value;
  };
  for (const property of properties) fill(property, spelledOut(property, sentence));
  const open = () => properties.filter(({ name }) => !Object.hasOwn(input, name));
  for (const property of open()) if (kindOf(property) !== 'text') fill(property, readValue(property, sentence));
  const takeText = createTextSource(picked, sentence);
  for (const property of open()) if (needsText(property, properties)) fill(property, takeText(property));
  const missing = open().filter(({ required }) => required);
  return { input, missing: missing.map(({ name }) => name) };
}

/** Required texts, and the first text of a tool that requires nothing. */
function needsText(property: Property, all: readonly Property[]): boolean {
  if (property.required) return ['text', 'path', 'glob'].includes(kindOf(property));
  const isFirstText = all.find((candidate) => kindOf(candidate) === 'text') === property;
  return isFirstText && !all.some(({ required }) => required);
}

function spelledOut({ name, schema }: Property, sentence: Sentence): unknown {
  if (Object.hasOwn(sentence.json, name)) return sentence.json[name];
  const text = sentence.pairs.get(name.toLowerCase());
  if (text === undefined || schema.type === 'string' || schema.type === undefined) return text;
  if (schema.type === 'array' && !text.startsWith('[')) return text.split(/[,;]/);
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
