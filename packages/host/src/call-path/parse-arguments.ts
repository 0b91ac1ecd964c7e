import { isJsonObject, type JsonObject, messageOf } from '@toolpost/protocol';
import { CallStopped } from './call-stopped.ts';
import { isNestedDeeper, MAX_ARGUMENTS_DEPTH } from './nesting.ts';
import { placeOfHalfCharacter, toWellFormedDeep } from './well-formed.ts';

const MAX_QUOTED = 120;

export interface ParseOptions {
  /** For a tool that changes things: half a character is refused. For others it is replaced by U+FFFD. */
  readonly mustBeWhole?: boolean;
}

/**
 * Reads a model's raw arguments. Nothing, white space and `null` are `{}`, as models send all three for a tool
 * without parameters. Cut or broken JSON is never `{}`: the tool does not run.
 * @throws CallStopped `invalid-input`.
 */
export function parseArguments(raw: string, { mustBeWhole = false }: ParseOptions = {}): JsonObject {
  if (raw === '{}' || raw === '') return {};
  const text = raw.trim();
  if (text === '' || text === 'null') return {};
  const value = parseJson(text);
  if (!isJsonObject(value)) {
    throw new CallStopped(
      'invalid-input',
      `The arguments must be one JSON object, but ${quote(text)} is ${kindOf(value)}. The tool did not run. Send an object such as {"name": "value"}.`,
    );
  }
  // A level takes two characters at least, so most texts are too short to be looked through.
  if (text.length > MAX_ARGUMENTS_DEPTH && isNestedDeeper(value, MAX_ARGUMENTS_DEPTH)) {
    throw new CallStopped(
      'invalid-input',
      `The arguments are nested deeper than ${MAX_ARGUMENTS_DEPTH} levels. The tool did not run. Send them flatter, or deep data as a text.`,
    );
  }
  // Half a character comes as an escape, or as it is from a provider that has read the escape.
  if (!text.includes('\\u') && text.isWellFormed()) return value;
  if (mustBeWhole) assertWhole(value);
  return toWellFormedDeep(value);
}

/** What would be written instead is not what the model meant, and the file would hold it without a word. */
function assertWhole(value: JsonObject): void {
  const place = placeOfHalfCharacter(value);
  if (place === undefined) return;
  throw new CallStopped(
    'invalid-input',
    `The argument ${quote(place)} holds half a character (a lone surrogate), which no file or program can take: a character such as an emoji was cut in two. The tool did not run. Send the whole character, or leave it out.`,
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = messageOf(error).toWellFormed();
    throw new CallStopped(
      'invalid-input',
      `The arguments are not complete JSON (${reason}). They end with ${quote(text.slice(-40))}. The tool did not run. Send the whole object again.`,
    );
  }
}

function quote(text: string): string {
  return JSON.stringify(text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}...` : text);
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`;
}
