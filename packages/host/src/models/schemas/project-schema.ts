import { isJsonObject, type JsonSchema } from '@toolpost/protocol';
import { fitGemini } from './fit-gemini.ts';
import { filled, fitOpenAi } from './fit-openai.ts';
import { inlineReferences } from './inline-references.ts';
import { objectAtTop } from './object-at-top.ts';
import { inOneDialect } from './one-dialect.ts';
import { ProjectionRefusal } from './projection-refusal.ts';
import { FAMILY_FACTS, type ProviderFamily } from './provider-family.ts';
import { mapSubschemas, propertiesOf } from './subschemas.ts';

/** An input schema as one family of providers takes it, or why it cannot be written for it. */
export type Projection =
  | {
      readonly isOffered: true;
      readonly schema: JsonSchema;
      /** The argument that the whole input stands in: taken off again by `unwrapArguments`. */
      readonly wrappedIn?: string;
      /** What a reader should know of the difference, one phrase each. */
      readonly changes: readonly string[];
    }
  | { readonly isOffered: false; readonly reason: string };

const known = new WeakMap<JsonSchema, Map<ProviderFamily, Projection>>();

/**
 * Writes a tool's input schema for a family of providers. It may let through more than the original, never less: the
 * host validates by the original. The same schema always gives the same bytes.
 */
export function projectSchema(schema: JsonSchema, family: ProviderFamily): Projection {
  const projections = known.get(schema) ?? new Map<ProviderFamily, Projection>();
  known.set(schema, projections);
  const projection = projections.get(family) ?? project(schema, family);
  projections.set(family, projection);
  return projection;
}

function project(given: JsonSchema, family: ProviderFamily): Projection {
  try {
    const { schema, hadReferences, wasRecursive } = inlineReferences(inOneDialect(given));
    const top = objectAtTop(schema);
    refuseNames(top.schema, family);
    const changes = [
      hadReferences && 'references are written out',
      wasRecursive && 'recursion is cut',
      top.wrappedIn !== undefined && `the input stands in one argument, "${top.wrappedIn}"`,
      top.isLoosened && 'some rules are checked by the host alone',
    ].filter((change) => change !== false);
    const fitted = { type: 'object', properties: {}, ...fit(top.schema, family) };
    return { isOffered: true, schema: fitted, ...(top.wrappedIn && { wrappedIn: top.wrappedIn }), changes };
  } catch (error) {
    if (error instanceof ProjectionRefusal) return { isOffered: false, reason: error.message };
    throw error;
  }
}

function fit(schema: JsonSchema, family: ProviderFamily): JsonSchema {
  if (family === 'openai') return fitOpenAi(schema);
  return family === 'gemini' ? fitGemini(schema) : fitDeep(schema);
}

/** Anthropic and plain servers take draft 2020-12 as it is; some of the latter want `items` and `properties` too. */
function fitDeep(schema: JsonSchema): JsonSchema {
  return filled(mapSubschemas(schema, (one) => (isJsonObject(one) ? fitDeep(one) : one)));
}

function refuseNames(schema: JsonSchema, family: ProviderFamily): void {
  const { argumentName } = FAMILY_FACTS[family];
  if (argumentName === undefined) return;
  for (const name of Object.keys(propertiesOf(schema))) {
    if (argumentName.test(name)) continue;
    throw new ProjectionRefusal(
      `the argument ${JSON.stringify(name)} has a name that does not match ${argumentName.source}`,
    );
  }
  for (const inner of Object.values(propertiesOf(schema))) if (isJsonObject(inner)) refuseNames(inner, family);
}
