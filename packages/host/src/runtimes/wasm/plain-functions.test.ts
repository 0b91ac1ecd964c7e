import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from '@bytecodealliance/jco-transpile/wasm-tools';
import type { JsonObject } from '@toolpost/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PluginCrash } from '../runtime.ts';
import { createTestCallContext } from '../test-contexts.ts';
import { buildComponent } from './fixtures/build-component.ts';
import { type Guest, loadGuest, newFolder } from './fixtures/load-guest.ts';
import { shapes, WIDE_NUMBERS } from './fixtures/shapes.ts';

const BUILD_LIMIT_MS = 120_000;

describe('a component that exports plain functions', () => {
  let guest: Guest;
  beforeAll(async () => {
    const file = join(newFolder('shapes'), 'shapes.wasm');
    writeFileSync(file, await buildComponent(shapes));
    guest = await loadGuest({ file });
  }, BUILD_LIMIT_MS);
  afterAll(() => guest.plugin.close());

  async function call(name: string, input: JsonObject): Promise<unknown> {
    const tool = guest.plugin.tools.find((one) => one.name === name);
    if (!tool) throw new Error(`no tool ${name}`);
    return guest.plugin.execute(tool, input, createTestCallContext(input, { roots: [guest.root] }));
  }

  it('offers each as a tool, and says which one cannot be', () => {
    expect(guest.plugin.tools.map(({ name }) => name)).toContain('shapes_move-point');
    expect(guest.plugin.problems).toEqual([expect.stringContaining('borrow-pen')]);
  });

  it.each<[string, JsonObject, unknown]>([
    ['add', { a: 2, b: -40 }, { result: -38 }],
    ['shapes_move-point', { p: { x: 1, y: 2.5 }, by: { x: 1, y: 1 } }, { x: 2, y: 3.5 }],
    ['shapes_move-point', { p: { x: 1, y: 2 } }, { x: 1, y: 2 }],
    ['shapes_area', { s: { tag: 'circle', val: 2 } }, { result: 12 }],
    ['shapes_paint', { c: 'dark-green', s: ['under-line'] }, { result: ['dark-green', ['under-line']] }],
    ['shapes_reverse', { data: 'AQID', words: [1, 65_535] }, { result: ['AwIB', [65_535, 1]] }],
    ['shapes_next', { i: 41 }, { result: 42 }],
    ['shapes_maybe', { o: { tag: 'some', val: 'x' } }, { result: { tag: 'some', val: 'x' } }],
    ['shapes_maybe', {}, { result: { tag: 'none' } }],
    ['shapes_divide', { a: 1, b: 0 }, { result: 'Infinity' }],
  ])('%s converts its arguments %j and its result both ways', async (name, input, structuredContent) => {
    expect(await call(name, input)).toMatchObject({ structuredContent, isError: false });
  });

  it('gives a text as it is', async () => {
    expect(await call('greet-person', { name: 'Ada 😀' })).toEqual({
      content: [{ type: 'text', text: 'hello Ada 😀' }],
      isError: false,
    });
  });

  it("makes the error of a result the tool's failure", async () => {
    expect(await call('shapes_area', { s: { tag: 'named', val: ['oak', 7] } })).toEqual({
      content: [{ type: 'text', text: 'no area for named ["oak",7]' }],
      isError: true,
    });
    expect(await call('shapes_check', { c: '漢', yes: false })).toMatchObject({
      content: [{ type: 'text', text: '"dark-green"' }],
      isError: true,
    });
    expect(await call('shapes_check', { c: '漢', yes: true })).toMatchObject({ isError: false });
    expect(await call('shapes_invert', { r: { tag: 'ok', val: 7 } })).toMatchObject({
      content: [{ type: 'text', text: '7' }],
      isError: true,
    });
  });

  it('names an argument that the type does not take', async () => {
    expect(await call('shapes_next', { i: '18446744073709551616' })).toMatchObject({
      content: expect.stringContaining('i must be from 0 to 18446744073709551615'),
      isError: true,
    });
  });

  it('takes a trap for a crash, and serves the next call', async () => {
    await expect(call('shapes_fail-hard', {})).rejects.toBeInstanceOf(PluginCrash);
    await guest.plugin.ready();
    expect(await call('add', { a: 1, b: 1 })).toMatchObject({ structuredContent: { result: 2 } });
  });

  it('holds numbers of 64 bits exactly, as texts where JSON cannot', async () => {
    const file = join(newFolder('wide'), 'wide.wasm');
    writeFileSync(file, await parse(WIDE_NUMBERS));
    const wide = await loadGuest({ file });
    const next = async (name: string, i: number | string) => {
      const tool = wide.plugin.tools.find((one) => one.name === name);
      if (!tool) throw new Error(`no tool ${name}`);
      return wide.plugin.execute(tool, { i }, createTestCallContext({ i }, { roots: [wide.root] }));
    };
    try {
      expect(await next('next-unsigned', '9007199254740993')).toMatchObject({
        structuredContent: { result: '9007199254740994' },
      });
      expect(await next('next-unsigned', '18446744073709551615')).toMatchObject({ structuredContent: { result: 0 } });
      expect(await next('next-signed', -1)).toMatchObject({ structuredContent: { result: 0 } });
      expect(await next('next-signed', '-9223372036854775808')).toMatchObject({
        structuredContent: { result: '-9223372036854775807' },
      });
    } finally {
      await wide.plugin.close();
    }
  });
});
