import type { BlockInput } from '@toolpost/protocol';
import { describe, expectTypeOf, it } from 'vitest';
import { chart, diff, form, markdown, table, tree } from './blocks.ts';
import { newResultBuilder, type ResultBuilder } from './tool-results.ts';

describe('blocks', () => {
  it('each is what a builder takes', () => {
    expectTypeOf(table({ columns: ['a'], rows: [['x', 1, null], { a: true }] })).toExtend<BlockInput>();
    expectTypeOf(chart({ values: [1, null] })).toExtend<BlockInput>();
    expectTypeOf(diff({ before: 'a', after: 'b' })).toExtend<BlockInput>();
    expectTypeOf(diff({ patch: '' })).toExtend<BlockInput>();
    expectTypeOf(form({ action: 'a', fields: ['x', { name: 'y' }] })).toExtend<BlockInput>();
    expectTypeOf(tree({ nodes: ['a', { label: 'b', children: [{ label: 'c' }] }] })).toExtend<BlockInput>();
    expectTypeOf(markdown('text')).toExtend<BlockInput>();
    expectTypeOf(newResultBuilder().block(markdown({ text: '' }))).toEqualTypeOf<ResultBuilder>();
  });

  it('refuses what a block has no place for', () => {
    // @ts-expect-error a cell is no object
    table({ columns: ['a'], rows: [[{}]] });
    // @ts-expect-error a kind that there is not
    chart({ kind: 'radar', values: [1] });
    // @ts-expect-error a diff needs both texts
    diff({ before: 'a' });
    // @ts-expect-error a form needs an action
    form({ fields: [] });
    // @ts-expect-error no block
    newResultBuilder().block({ type: 'picture' });
  });
});
