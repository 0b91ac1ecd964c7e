import type { JsonObject } from '@toolpost/protocol';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bearer, createServerWorld, followUntil, isTurnEnd, type ServerWorld } from './fixtures/server-world.ts';

let world: ServerWorld;
beforeAll(async () => {
  world = await createServerWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

const openApi = async () => JSON.parse((await world.raw('/openapi.json')).text);

it('tells of every route once, under an id of its own', async () => {
  const { openapi, paths } = await openApi();
  expect(openapi).toBe('3.1.0');
  const operations = Object.values<Record<string, { operationId: string }>>(paths).flatMap((path) =>
    Object.values(path),
  );
  const ids = operations.map(({ operationId }) => operationId);
  expect(new Set(ids).size).toBe(ids.length);
  expect(Object.keys(paths)).toEqual(
    expect.arrayContaining([
      '/',
      '/healthz',
      '/openapi.json',
      '/api/sessions',
      '/api/sessions/{id}/events',
      '/api/plugins/{id}/restart',
    ]),
  );
});

it('refers to nothing that is not there', async () => {
  const document = await openApi();
  const refs = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, ref = '']) => ref);
  expect(refs.length).toBeGreaterThan(20);
  for (const ref of refs) {
    const [, name = ''] = /^#\/components\/schemas\/(\w+)$/.exec(ref) ?? [];
    expect(document.components.schemas, ref).toHaveProperty([name]);
  }
});

it('names each parameter of a path, and what a body has to be', async () => {
  const { paths } = await openApi();
  for (const [path, methods] of Object.entries<Record<string, { parameters: { name: string; in: string }[] }>>(paths)) {
    const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    for (const { parameters } of Object.values(methods))
      expect(parameters.filter((one) => one.in === 'path').map(({ name }) => name)).toEqual(named);
  }
  const { requestBody, security } = paths['/api/sessions'].post;
  expect(requestBody.content['application/json'].schema).toEqual({ $ref: '#/components/schemas/CreateSession' });
  expect(security).toBeUndefined();
  expect(paths['/api/login'].post.security).toEqual([]);
});

/** The schema of an answer, with what it refers to. */
function schemaOf(document: JsonObject, path: string, status: number): JsonObject {
  const at = (value: unknown, ...keys: string[]): JsonObject =>
    Object(keys.reduce((inner, key) => Object(inner)[key], value));
  const responses = at(document, 'paths', path, 'get', 'responses');
  const [content] = Object.values(at(responses[status] ?? responses.default, 'content'));
  const whole = { allOf: [at(content, 'schema')], $defs: at(document, 'components', 'schemas') };
  return JSON.parse(JSON.stringify(whole).replaceAll('#/components/schemas/', '#/$defs/'));
}

it('says of each answer what it is', async () => {
  const { id } = await world.client().createSession({ title: 'all of it' });
  await world.client().postMessage(id, { text: 'novel' });
  await followUntil(world.client(), id, isTurnEnd);
  const [call] = (await world.client().calls(id)).calls;
  const ids: Record<string, string> = { id, callId: call?.record.id ?? '', name: 'read' };
  const document = await openApi();
  const ajv = new Ajv2020({ strict: false });
  const checked: string[] = [];
  for (const [path, { get }] of Object.entries<{ get?: JsonObject }>(document.paths)) {
    // This call has no page by MCP Apps.
    if (!get || path.endsWith('/events') || path.endsWith('/app')) continue;
    const filledIn = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? '');
    const { status, headers, text } = await world.raw(filledIn, { headers: bearer() });
    expect([path, status]).toEqual([path, 200]);
    if (!String(headers['content-type']).startsWith('application/json')) continue;
    const schema = schemaOf(document, path, status);
    expect(ajv.validate(schema, JSON.parse(text)), `${path}: ${ajv.errorsText()} in ${text}`).toBe(true);
    expect(ajv.validate(schema, [1]), `${path} allows anything`).toBe(path === '/openapi.json');
    checked.push(path);
  }
  expect(checked.length).toBeGreaterThan(15);
  const refused = await world.raw('/api/status');
  expect(ajv.validate(schemaOf(document, '/api/status', refused.status), JSON.parse(refused.text))).toBe(true);
});

it('gives both kinds of an export', async () => {
  const { content } = (await openApi()).paths['/api/sessions/{id}/export'].get.responses[200];
  expect(Object.keys(content)).toEqual(['text/markdown', 'application/json']);
});
