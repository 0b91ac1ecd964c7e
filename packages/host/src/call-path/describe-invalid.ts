import type { JsonObject, ToolDefinition } from '@toolpost/protocol';
import type { ErrorObject, Validate } from './compile-schema.ts';
import { exampleArguments } from './example-arguments.ts';

const MAX_PROBLEMS = 8;
const MAX_VALUE = 80;
const MAX_CHOICES = 50;

export interface InvalidArguments {
  /** With what could be repaired. */
  readonly repaired: JsonObject;
  /** What is wrong with these. */
  readonly errors: readonly ErrorObject[];
  readonly validate: Validate;
}

/**
 * What a model needs to correct itself: each field with what was expected and what came, and arguments that
 * would be valid. The error is one text for the model, so it stays short.
 */
export function describeInvalid(tool: ToolDefinition, invalid: InvalidArguments): string {
  const { errors, validate } = invalid;
  const problems = [...new Set(mostTelling(errors).map((error) => describe(error, invalid.repaired)))];
  const shown = problems.slice(0, MAX_PROBLEMS).map((problem) => `- ${problem}`);
  if (problems.length > MAX_PROBLEMS) shown.push(`- and ${problems.length - MAX_PROBLEMS} more`);
  const example = exampleArguments(tool.inputSchema, validate);
  const advice = example === undefined ? 'Correct them and call it again.' : `An example that is valid: ${example}`;
  return `The arguments of ${tool.name} are not valid, so it did not run:\n${shown.join('\n')}\n${advice}`;
}

/** The error of an `anyOf` says less than those of its branches, when there are any at the same place or below. */
function mostTelling(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const telling = errors.filter(({ keyword }) => !['anyOf', 'oneOf', 'if', 'allOf'].includes(keyword));
  return telling.length > 0 ? telling : errors;
}

function describe({ instancePath, keyword, params, message }: ErrorObject, input: JsonObject): string {
  const field = fieldName(instancePath);
  const got = `got ${show(valueAt(input, instancePath))}`;
  switch (keyword) {
    case 'required':
      return `${join(field, String(params.missingProperty))}: required, but missing`;
    case 'additionalProperties':
    case 'unevaluatedProperties': {
      const name = String(params.additionalProperty ?? params.unevaluatedProperty);
      return `${join(field, name)}: there is no such field`;
    }
    case 'enum':
      return `${field}: expected one of ${showList(params.allowedValues)}, ${got}`;
    case 'const':
      return `${field}: expected ${show(params.allowedValue)}, ${got}`;
    case 'type':
      return `${field}: expected ${[params.type].flat().join(' or ')}, ${got}`;
    default:
      return `${field}: ${message ?? keyword}, ${got}`;
  }
}

function fieldName(pointer: string): string {
  if (pointer === '') return 'the arguments';
  const keys = pointer
    .slice(1)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  return keys.reduce((name, key) => (/^\d+$/.test(key) ? `${name}[${key}]` : name === '' ? key : `${name}.${key}`), '');
}

function join(field: string, name: string): string {
  return field === 'the arguments' ? name : `${field}.${name}`;
}

function valueAt(input: JsonObject, pointer: string): unknown {
  let value: unknown = input;
  if (pointer === '') return value;
  for (const part of pointer.slice(1).split('/')) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    value = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined;
  }
  return value;
}

function showList(values: unknown): string {
  if (!Array.isArray(values)) return show(values);
  const more = values.length > MAX_CHOICES ? ` or ${values.length - MAX_CHOICES} others` : '';
  return values.slice(0, MAX_CHOICES).map(show).join(', ') + more;
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE).toWellFormed()}...` : text;
}
