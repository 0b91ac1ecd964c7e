import { ERROR_CODES, type JsonObject } from '@toolpost/protocol';
import { problemSchema } from '@toolpost/protocol/schemas';
import { z } from 'zod';
import { HOST_VERSION } from '../version.ts';
import type { Route } from './route.ts';

/** OpenAPI 3.1 of the routes, from the very schemas that check requests. */
export function createOpenApi(routes: readonly Route[], url: string): JsonObject {
  const schemas: JsonObject = {};
  const paths: Record<string, JsonObject> = {};
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method]: operationOf(route, schemas) };
  }
  referTo(problemSchema, schemas, 'output');
  return {
    openapi: '3.1.0',
    info: {
      title: 'Toolpost',
      version: HOST_VERSION,
      description:
        'Sessions, turns, approvals, tools and plugins of one Toolpost host. Errors are problem+json (RFC 9457) with a `code`.',
    },
    servers: [{ url }],
    security: [{ token: [] }],
    paths,
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      schemas,
    },
  };
}

function operationOf(route: Route, schemas: JsonObject): JsonObject {
  const { summary, tag, isOpen, body } = route;
  return {
    summary,
    tags: [tag],
    operationId: operationIdOf(route),
    ...(isOpen && { security: [] }),
    parameters: [...pathParameters(route), ...queryParameters(route)],
    ...(body && { requestBody: { required: true, content: jsonOf(referTo(body, schemas, 'input')) } }),
    responses: responsesOf(route, schemas),
  };
}

function operationIdOf({ method, path }: Route): string {
  const words = path.split(/[^a-zA-Z]+/).filter((word) => word !== '' && word !== 'api');
  return [method, ...words.map((word) => word[0]?.toUpperCase() + word.slice(1))].join('');
}

function pathParameters({ path }: Route): JsonObject[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
}

function queryParameters({ query }: Route): JsonObject[] {
  if (!query) return [];
  const { properties = {}, required = [] } = toSchema(query, 'input') as {
    properties?: Record<string, JsonObject>;
    required?: readonly string[];
  };
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    ...(description !== undefined && { description }),
    schema,
  }));
}

function responsesOf({ answer, errors = [], isOpen, body, query }: Route, schemas: JsonObject): JsonObject {
  const { status, description, schema, contentType } = answer;
  const codes = [
    ...(isOpen ? [] : (['UNAUTHORIZED'] as const)),
    ...(body || query ? (['REQUEST_INVALID'] as const) : []),
    ...errors,
  ];
  const meanings = codes.map((code) => `- \`${code}\`: ${ERROR_CODES[code].meaning}`).join('\n');
  return {
    [status]: {
      description,
      ...(schema && { content: jsonOf(referTo(schema, schemas, 'output')) }),
      ...(contentType !== undefined && { content: textsOf([contentType].flat()) }),
    },
    ...(codes.length > 0 && {
      default: {
        description: `What went wrong:\n${meanings}`,
        content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    }),
  };
}

function jsonOf(schema: JsonObject): JsonObject {
  return { 'application/json': { schema } };
}

function textsOf(types: readonly string[]): JsonObject {
  return Object.fromEntries(
    types.map((type) => [type, { schema: type === 'application/json' ? {} : { type: 'string' } }]),
  );
}

/** A schema with an id stands in `components` once; others stand where they are used. */
function referTo(schema: z.ZodType, schemas: JsonObject, io: 'input' | 'output'): JsonObject {
  const { $defs = {}, ...own } = toSchema(schema, io) as JsonObject & { $defs?: JsonObject };
  for (const [id, definition] of Object.entries($defs)) schemas[id] = toComponentRefs(definition);
  return toComponentRefs(own) as JsonObject;
}

function toSchema(schema: z.ZodType, io: 'input' | 'output'): JsonObject {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, {
    io,
    target: 'draft-2020-12',
    unrepresentable: 'any',
  });
  return rest;
}

function toComponentRefs(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toComponentRefs);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, element]) =>
      key === '$ref' && typeof element === 'string'
        ? [key, element.replace('#/$defs/', '#/components/schemas/')]
        : [key, toComponentRefs(element)],
    ),
  );
}
