import { beforeAll, describe, expect, it } from 'vitest';
import { type ComponentOutline, readComponent } from '../component/read-component.ts';
import { buildComponent } from '../fixtures/build-component.ts';
import { shapes } from '../fixtures/shapes.ts';
import { functionTools } from './function-tools.ts';

const BUILD_LIMIT_MS = 120_000;

describe('functionTools', () => {
  let outline: ComponentOutline;
  beforeAll(async () => {
    outline = readComponent(await buildComponent(shapes));
  }, BUILD_LIMIT_MS);

  const tool = (name: string) => functionTools(outline).tools.find(({ definition }) => definition.name === name);

  it('makes a tool of each exported function, and none of what the tool chain or a resource has', () => {
    const names = functionTools(outline).tools.map(({ definition }) => definition.name);
    expect(names).toEqual([
      'add',
      'greet-person',
      ...[
        'move-point',
        'area',
        'paint',
        'reverse',
        'next',
        'maybe',
        'check',
        'nothing',
        'invert',
        'divide',
        'fail-hard',
      ].map((name) => `shapes_${name}`),
    ]);
  });

  it('names a function that takes a handle, and why it is no tool', () => {
    expect(functionTools(outline).problems).toEqual([
      'the function borrow-pen is no tool: it takes or gives a resource, which has no form outside of the component',
    ]);
  });

  it('describes parameters and result by JSON Schemas', () => {
    const point = {
      type: 'object',
      properties: { x: { type: 'number' }, y: { type: 'number' } },
      required: ['x', 'y'],
      additionalProperties: false,
    };
    expect(tool('shapes_move-point')?.definition.inputSchema).toEqual({
      type: 'object',
      properties: { p: point, by: point },
      required: ['p'],
      additionalProperties: false,
    });
    expect(tool('add')?.definition.outputSchema).toEqual({
      type: 'object',
      properties: { result: { type: 'integer', minimum: -2147483648, maximum: 2147483647 } },
      required: ['result'],
    });
    expect(tool('greet-person')?.definition.outputSchema).toBeUndefined();
  });

  it('describes a function without documentation by its signature', () => {
    expect(tool('shapes_check')?.definition.description).toBe(
      'check: func(c: char, yes: bool) -> result<_, enum { red, dark-green }>',
    );
  });

  it.each([
    [0, (docs: string) => docs],
    [1, (docs: string) => ({ docs })],
  ])('takes the documentation that the component carries, version %i', (version, write) => {
    const section = {
      worlds: { root: { func_exports: { add: write('Adds two numbers.') } } },
      interfaces: { shapes: { funcs: { area: write('The area.\nIn square metres.') } } },
    };
    const bytes = Buffer.concat([Buffer.of(version), Buffer.from(JSON.stringify(section))]);
    const { tools } = functionTools({ ...outline, customSections: new Map([['package-docs', bytes]]) });
    const described = (name: string) =>
      tools.find(({ definition }) => definition.name === name)?.definition.description;
    expect(described('add')).toBe('Adds two numbers.');
    expect(described('shapes_area')).toBe('The area.\nIn square metres.');
    expect(described('greet-person')).toMatch(/^greet-person: func/);
  });

  it('keeps functions of one name in two interfaces apart', () => {
    const run = { sort: 'function', type: { parameters: [], result: undefined } } as const;
    const instance = { sort: 'instance', items: new Map([['run', run]]) } as const;
    const exports = new Map([
      ['a:one/jobs@1.0.0', instance],
      ['b:two/jobs', instance],
    ]);
    const { tools } = functionTools({ imports: new Map(), exports, customSections: new Map() });
    expect(tools.map(({ definition }) => definition.name)).toEqual(['jobs_run', 'b-two-jobs_run']);
  });
});
