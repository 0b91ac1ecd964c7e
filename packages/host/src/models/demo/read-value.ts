import { kindOf, type Property } from './property.ts';
import type { Sentence } from './sentence.ts';
import { wordsOf } from './words.ts';

const NUMBER_WORDS = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');
const NUMBER = String.raw`[-+]?(?:\d+(?:\.\d+)?|\.\d+)(?:e[-+]?\d+)?`;

/** The value of a property whose kind says what to look for; undefined when the request holds none. */
export function readValue(property: Property, sentence: Sentence): unknown {
  switch (kindOf(property)) {
    case 'choice':
      return readChoice(property, sentence);
    case 'number':
      return readNumber(property, sentence);
    case 'boolean':
      return readBoolean(property, sentence);
    case 'list':
      return sentence.quoted.length > 0 ? sentence.quoted.splice(0) : undefined;
    case 'address':
      return sentence.urls.shift();
    case 'path':
      return sentence.paths.shift();
    case 'glob':
      return sentence.globs.shift();
    case 'date':
      return sentence.dates.shift();
    default:
      return undefined;
  }
}

function readChoice({ schema }: Property, { plain }: Sentence): unknown {
  if ('const' in schema) return schema.const;
  const choices = Array.isArray(schema.enum) ? schema.enum : [];
  const said = new Set(wordsOf(plain).map((word) => word.text.toLowerCase()));
  return choices.find((choice) => {
    const words = wordsOf(String(choice));
    return words.length > 0 && words.every((word) => said.has(word.text.toLowerCase()));
  });
}

/** Words before a number that mean a property without naming it: "count down from 3", "count to 5". */
const LEAD_INS: [RegExp, string][] = [
  [/^(?:start|begin|first|offset)/i, 'from'],
  [/^(?:end|last|stop|until|limit|max)/i, 'to'],
];

/** A number beside the property's own name or its lead-in; any other number only where one is required. */
function readNumber({ name, schema, required }: Property, { plain }: Sentence): number | undefined {
  const leadIn = LEAD_INS.find(([names]) => names.test(name))?.[1] ?? '(?!)';
  const label = labelOf(name);
  const beside = String.raw`\b(?:${label}\s+(?:of\s+|is\s+|to\s+)?|${leadIn}\s+)(${NUMBER})|(${NUMBER})\s+${label}\b`;
  const match = new RegExp(beside, 'i').exec(plain) ?? (required ? new RegExp(`(${NUMBER})`, 'i').exec(plain) : null);
  const value = match ? Number(match[1] ?? match[2]) : required ? numberWord(plain) : undefined;
  return value === undefined || (schema.type === 'integer' && !Number.isInteger(value)) ? undefined : value;
}

/** A pattern for a property's name as a person writes it: `ignore_case` is also "ignore case". */
function labelOf(name: string): string {
  const words = wordsOf(name).map((word) => word.text);
  return words.length > 0 ? words.join('[\\s_-]+') : '(?!)';
}

function numberWord(plain: string): number | undefined {
  const place = wordsOf(plain).map((word) => NUMBER_WORDS.indexOf(word.text.toLowerCase()));
  return place.find((value) => value >= 0);
}

/** `ignore case` and `no ignore case` name the property; `yes` and `off` answer a required one. */
function readBoolean({ name, required }: Property, { plain }: Sentence): boolean | undefined {
  const named = new RegExp(String.raw`\b(?:(no|not|without|don't)\s+)?${labelOf(name)}\b`, 'i').exec(plain);
  if (named) return named[1] === undefined;
  if (!required) return undefined;
  const answer = /\b(?:(yes|true|on)|(no|false|off))\b/i.exec(plain);
  return answer ? answer[1] !== undefined : undefined;
}
