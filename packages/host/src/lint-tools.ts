import type { ToolDefinition } from '@toolpost/protocol';
import { uiAdvice } from './lint-ui.ts';
import { fitDescription } from './models/schemas/fit-description.ts';
import { projectSchema } from './models/schemas/project-schema.ts';
import { PROVIDER_FAMILIES, type ProviderFamily } from './models/schemas/provider-family.ts';
import { createWireNames } from './registry/wire-names.ts';

/** What one family of providers makes of a tool. */
export interface ProviderVerdict {
  readonly provider: ProviderFamily;
  /** Why the tool is left out for it; absent when it is offered. */
  readonly refused?: string;
  /** How what it gets differs from what the plugin wrote. */
  readonly changes: readonly string[];
}

export interface ToolLint {
  readonly name: string;
  /** The name on the wire, where the tool's own does not fit. */
  readonly alias?: string;
  /** What helps a model less than it could, whoever the provider is. */
  readonly advice: readonly string[];
  /** Only providers that refuse or change something. */
  readonly providers: readonly ProviderVerdict[];
}

/**
 * What each provider would refuse or get in another form, what a model will miss, and what of an interface clients cannot
 * show. Only tools with something to say. `mayContributeUi`: whether a tool's plugin has the permission `ui.contribute`.
 */
export function lintTools(
  definitions: readonly ToolDefinition[],
  mayContributeUi: (definition: ToolDefinition) => boolean = () => true,
): ToolLint[] {
  const names = createWireNames(definitions.map(({ name }) => name));
  return definitions
    .map((definition) => {
      const lints = lint(definition, names.toWire(definition.name));
      return { ...lints, advice: [...lints.advice, ...uiAdvice(definition, mayContributeUi(definition))] };
    })
    .filter(hasFindings);
}

function lint(definition: ToolDefinition, wireName: string): ToolLint {
  const { name, description, inputSchema } = definition;
  const providers = PROVIDER_FAMILIES.flatMap((provider): ProviderVerdict[] => {
    const projection = projectSchema(inputSchema, provider);
    if (!projection.isOffered) return [{ provider, refused: projection.reason, changes: [] }];
    const { change } = fitDescription(description, provider);
    const changes = change === undefined ? projection.changes : [...projection.changes, change];
    return changes.length > 0 ? [{ provider, changes }] : [];
  });
  return { name, ...(wireName !== name && { alias: wireName }), advice: adviceFor(definition), providers };
}

function adviceFor({ description, inputSchema }: ToolDefinition): string[] {
  const properties = Object.entries(inputSchema.properties ?? {});
  const silent = properties.filter(([, schema]) => !isDescribed(schema)).map(([name]) => name);
  return [
    description.trim() === '' && 'it has no description: a model chooses by it',
    silent.length > 0 && `without a description: ${silent.join(', ')}`,
  ].filter((advice) => advice !== false);
}

/** A list of values, a constant or a reference says what to write by itself. */
function isDescribed(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return false;
  return ['description', 'title', 'enum', 'const', '$ref'].some((keyword) => Object.hasOwn(schema, keyword));
}

function hasFindings({ alias, advice, providers }: ToolLint): boolean {
  return alias !== undefined || advice.length > 0 || providers.length > 0;
}
