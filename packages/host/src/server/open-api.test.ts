import { afterAll, beforeAll, expect, it } from 'vitest';
import { createServerWorld, type ServerWorld } from './fixtures/server-world.ts';

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
