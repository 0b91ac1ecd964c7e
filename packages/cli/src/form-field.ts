import { isJsonObject, type JsonObject, quoteValue } from '@toolpost/protocol';
import { visibleText } from './terminal-text.ts';

/** One thing that a form asks for. */
export interface FormField {
  readonly name: string;
  readonly schema: JsonObject;
  readonly isRequired: boolean;
}

/** What an answer means: a value, nothing, or why it cannot be taken. */
export type FieldAnswer = { readonly value: unknown } | { readonly problem: string } | undefined;

const MAX_TEXT = 300;

/** The fields of a form's flat schema, in its order. */
export function fieldsOf({ properties, required }: JsonObject): FormField[] {
  if (!isJsonObject(properties)) return [];
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    schema: isJsonObject(schema) ? schema : {},
    isRequired: Array.isArray(required) && required.includes(name),
  }));
}

/** `name (what it is): `, all of it visible: it comes from a plugin. */
export function promptOf(field: FormField): string {
  const { name, about, usual } = describeField(field);
  return `  ${name}${about === '' ? '' : ` (${about})`}${usual === undefined ? '' : ` [${usual}]`}: `;
}

/** What a field is, visible: its name, what is said of it, and what it is when nothing is given. */
export function describeField({ name, schema, isRequired }: FormField) {
  const { title, description, default: usual } = schema;
  const about = [title, description].filter((text) => typeof text === 'string').map((text) => shortText(String(text)));
  const parts = [...about, kindOf(schema), ...(isRequired || usual !== undefined ? [] : ['optional'])];
  return {
    name: shortText(name),
    about: parts.filter((part) => part !== '').join('; '),
    usual: usual === undefined ? undefined : shortText(plain(usual)),
  };
}

/** A value that a person picks instead of typing it. */
export interface FieldChoice {
  /** Visible. */
  readonly label: string;
  /** What is read when it is picked; empty for nothing. */
  readonly said: string;
}

/** What a field is picked from; undefined for one that is typed. An optional one may be left out. */
export function choicesOf({ schema, isRequired }: FormField): readonly FieldChoice[] | undefined {
  const choices = Array.isArray(schema.enum)
    ? schema.enum.map((value) => ({ label: shortText(plain(value)), said: plain(value) }))
    : schema.type === 'boolean'
      ? BOOLEANS
      : undefined;
  if (!choices || isRequired || schema.default !== undefined) return choices;
  return [...choices, { label: '(leave it out)', said: '' }];
}

const BOOLEANS: readonly FieldChoice[] = [
  { label: 'yes', said: 'true' },
  { label: 'no', said: 'false' },
];

/** Reads what was typed for a field. Nothing is its default, or nothing. */
export function readField({ schema, isRequired }: FormField, said: string): FieldAnswer {
  if (said.trim() === '') {
    if (schema.default !== undefined) return { value: schema.default };
    return isRequired ? { problem: 'it is required' } : undefined;
  }
  if (Array.isArray(schema.enum)) return oneOf(schema.enum, said.trim());
  switch (schema.type) {
    case 'boolean':
      return yesOrNo(said.trim());
    case 'integer':
    case 'number':
      return numberIn(schema, said.trim());
    case 'string':
    case undefined:
      return textIn(schema, said);
    default:
      return { problem: `it is of the type ${quoteValue(schema.type)}, which cannot be typed here` };
  }
}

function kindOf({ type, enum: choices }: JsonObject): string {
  if (Array.isArray(choices)) return `one of ${shortText(choices.map(plain).join(', '))}`;
  if (type === 'boolean') return 'y or n';
  return type === 'integer' ? 'a whole number' : type === 'number' ? 'a number' : '';
}

function oneOf(choices: readonly unknown[], said: string): FieldAnswer {
  const folded = said.toLowerCase();
  const exact = choices.filter((choice) => plain(choice) === said);
  const near = choices.filter((choice) => plain(choice).toLowerCase() === folded);
  const found = exact.length > 0 ? exact : near;
  return found.length > 0 ? { value: found[0] } : { problem: 'it is none of these' };
}

function yesOrNo(said: string): FieldAnswer {
  if (/^(y|yes|true)$/i.test(said)) return { value: true };
  return /^(n|no|false)$/i.test(said) ? { value: false } : { problem: 'answer y or n' };
}

function numberIn({ type, minimum, maximum }: JsonObject, said: string): FieldAnswer {
  const value = Number(said);
  if (!Number.isFinite(value)) return { problem: 'it is no number' };
  if (type === 'integer' && !Number.isSafeInteger(value)) return { problem: 'it is no whole number' };
  if (typeof minimum === 'number' && value < minimum) return { problem: `it is less than ${minimum}` };
  if (typeof maximum === 'number' && value > maximum) return { problem: `it is more than ${maximum}` };
  return { value };
}

function textIn({ minLength, maxLength }: JsonObject, said: string): FieldAnswer {
  const { length } = [...said];
  if (typeof minLength === 'number' && length < minLength) return { problem: `it is shorter than ${minLength}` };
  if (typeof maxLength === 'number' && length > maxLength) return { problem: `it is longer than ${maxLength}` };
  return { value: said };
}

function plain(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

function shortText(text: string): string {
  const characters = [...text];
  return visibleText(characters.length > MAX_TEXT ? `${characters.slice(0, MAX_TEXT).join('')}…` : text);
}
