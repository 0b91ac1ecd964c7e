import { isJsonObject, type JsonSchema } from '@toolpost/protocol';
import { withoutTuple } from './fit-openai.ts';
import { mergedAllOf } from './merge-all-of.ts';
import { type AnySchema, branchesOf, isSchema, propertiesOf, textsOf, typesOf } from './subschemas.ts';

/** The part of OpenAPI's schema object that Gemini reads; a keyword beyond it fails the whole request. */
const KEPT = [
  ...['title', 'description', 'default', 'minItems', 'maxItems', 'minProperties', 'maxProperties'],
  ...['minLength', 'maxLength', 'pattern', 'minimum', 'maximum'],
];
const STRING_FORMATS = ['date-time', 'enum'];
const ANYTHING: JsonSchema = { type: 'string', description: 'Any value, as JSON text.' };

/** A schema as Gemini and what imitates it take it: one type each, null as `nullable`, alternatives by `anyOf` alone. */
export function fitGemini(given: AnySchema): JsonSchema {
  if (!isJsonObject(given)) return ANYTHING;
  const schema = withBounds(withConst(withoutTuple(mergedAllOf(given))));
  const branches = [...branchesOf(schema, 'anyOf'), ...branchesOf(schema, 'oneOf')];
  if (branches.length > 0) return fitUnion(schema, branches);
  const types = impliedTypes(schema);
  const others = types.filter((type) => type !== 'null');
  if (others.length > 1)
    return fitUnion(
      schema,
      types.map((type) => ofType(schema, type)),
    );
  const nullable = types.includes('null') || (Array.isArray(schema.enum) && schema.enum.includes(null));
  const [type] = others;
  if (type === undefined) return { ...ANYTHING, ...textsOnly(schema), ...(nullable && { nullable }) };
  return { ...fitTyped(schema, type), ...(nullable && { nullable }) };
}

/** The part of a schema of several types that speaks of one of them. */
function ofType(schema: JsonSchema, type: string): JsonSchema {
  const { enum: values, ...rest } = withoutTexts(schema);
  if (!Array.isArray(values)) return { ...rest, type };
  return {
    ...rest,
    type,
    enum: values.filter((value) => typeOf(value) === type || (type === 'number' && typeof value === 'number')),
  };
}

/** Beside `anyOf` Gemini takes only texts and `nullable`. */
function fitUnion(schema: JsonSchema, branches: readonly AnySchema[]): JsonSchema {
  const { anyOf: _, oneOf: __, ...shared } = withoutTexts(schema);
  const isNull = (branch: AnySchema) => isJsonObject(branch) && branch.type === 'null';
  const kept = branches.filter((branch) => branch !== false && !isNull(branch));
  const fitted = kept.map((branch) =>
    fitGemini(isJsonObject(branch) ? mergedAllOf({ ...branch, allOf: [shared] }) : branch),
  );
  const nullable = branches.some(isNull) || fitted.some((branch) => branch.nullable === true);
  const texts = { ...textsOnly(schema), ...(nullable && { nullable: true }) };
  const [only] = fitted;
  if (only === undefined) return { ...ANYTHING, ...texts };
  return fitted.length === 1 ? { ...only, ...texts } : { anyOf: fitted, ...texts };
}

function fitTyped(schema: JsonSchema, type: string): JsonSchema {
  const kept = Object.fromEntries(KEPT.filter((name) => name in schema).map((name) => [name, schema[name]]));
  const base: JsonSchema = { type, ...kept, ...fitFormat(schema, type), ...fitEnum(schema, type) };
  if (type === 'array')
    return { ...base, items: fitGemini(isSchema(schema.items) ? schema.items : { type: 'string' }) };
  return type === 'object' ? { ...base, ...fitProperties(schema) } : base;
}

/** An object without fields must not have `properties` at all. */
function fitProperties(schema: JsonSchema): JsonSchema {
  const properties = Object.entries(propertiesOf(schema)).filter(([, one]) => isSchema(one) && one !== false);
  if (properties.length === 0) return {};
  const names = new Set(properties.map(([name]) => name));
  const required = textsOf(schema.required).filter((name) => names.has(name));
  const fitted = properties.map(([name, one]) => [name, fitGemini(isSchema(one) ? one : true)]);
  return { properties: Object.fromEntries(fitted), ...(required.length > 0 && { required }) };
}

function fitFormat({ format }: JsonSchema, type: string): JsonSchema {
  return type === 'string' && STRING_FORMATS.includes(String(format)) ? { format } : {};
}

/**
 * Only texts can be listed, no empty one, and no empty list. Other values are named in the description, and checked by
 * the host: a list without one of them would take it from the model.
 */
function fitEnum({ enum: values, description }: JsonSchema, type: string): JsonSchema {
  if (!Array.isArray(values) || values.length === 0) return {};
  const listed = values.filter((value) => value !== null);
  const isText = (value: unknown) => typeof value === 'string' && value !== '';
  if (type === 'string' && listed.length > 0 && listed.every(isText)) return { enum: listed };
  const named = listed.length > 0 ? listed : values;
  const sentence = `One of ${named.map((value) => JSON.stringify(value)).join(', ')}.`;
  return { description: [description, sentence].filter(Boolean).join(' ') };
}

function withConst(schema: JsonSchema): JsonSchema {
  if (!('const' in schema)) return schema;
  const { const: value, ...rest } = schema;
  return { ...rest, enum: [value] };
}

/** Gemini knows inclusive bounds only. */
function withBounds(schema: JsonSchema): JsonSchema {
  const step = typesOf(schema).includes('integer') ? 1 : 0;
  const { exclusiveMinimum: above, exclusiveMaximum: below, ...rest } = schema;
  return {
    ...rest,
    ...(typeof above === 'number' && { minimum: above + step }),
    ...(typeof below === 'number' && { maximum: below - step }),
  };
}

/** The types that a schema names, or those of the values that it lists, or what its keywords are about. */
function impliedTypes(schema: JsonSchema): string[] {
  const named = typesOf(schema);
  if (named.length > 0) return named;
  if (Array.isArray(schema.enum)) return [...new Set(schema.enum.map(typeOf))];
  if (isJsonObject(schema.properties)) return ['object'];
  if (schema.items !== undefined) return ['array'];
  return schema.pattern === undefined && schema.minLength === undefined ? [] : ['string'];
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return Array.isArray(value) ? 'array' : typeof value;
}

function textsOnly({ title, description }: JsonSchema): JsonSchema {
  return { ...(title !== undefined && { title }), ...(description !== undefined && { description }) };
}

function withoutTexts({ title: _, description: __, ...rest }: JsonSchema): JsonSchema {
  return rest;
}
