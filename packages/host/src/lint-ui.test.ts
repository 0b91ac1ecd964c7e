import type { ToolDefinition } from '@toolpost/protocol';
import { expect, it } from 'vitest';
import { lintTools } from './lint-tools.ts';

const properties = {
  code: { type: 'string', description: 'TSX' },
  count: { type: ['integer', 'null'], description: 'How many' },
};
const tool = (ui: ToolDefinition['ui']): ToolDefinition => ({
  ...{ name: 'draw', description: 'Draws.', inputSchema: { type: 'object', properties } },
  ...(ui && { ui }),
});

it.each<[string, ToolDefinition['ui'], string]>([
  [
    'an unknown mode',
    { mode: 'svg' },
    'ui.mode is "svg", which no client shows: there are genui, html, markdown, chart, blocks, app',
  ],
  ['a parameter that there is not', { mode: 'html', param: 'page' }, 'ui.param is "page", and its input schema has no'],
  ['a name that every object has', { mode: 'html', param: 'toString' }, 'has no such property'],
  [
    'one that is no text',
    { mode: 'html', param: 'count' },
    'has to be a text, and its input schema says integer or null',
  ],
  ['an unknown library', { mode: 'genui', libs: ['echarts', 'd3'] }, 'ui.libs has d3, which there are not'],
  ['an unknown surface', { mode: 'genui', surface: 'wall' }, 'ui.surface is "wall", which counts as "inline"'],
])('says what is wrong in a ui block: %s', (_what, ui, advice) => {
  expect(lintTools([tool(ui)])).toMatchObject([{ name: 'draw', advice: [expect.stringContaining(advice)] }]);
});

it('says that actions do not reach a plugin without the permission, where the tool draws', () => {
  const lacks = () => false;
  const [lint] = lintTools([tool({ mode: 'genui', param: 'code', libs: ['three'], surface: 'panel' })], lacks);
  expect(lint?.advice).toEqual([expect.stringContaining('"ui.contribute" is not in the permissions')]);
  expect(lintTools([tool(undefined)], lacks)).toEqual([]);
});

it('has nothing to say of one that is right', () => {
  expect(lintTools([tool({ mode: 'genui', param: 'code', libs: ['three'], surface: 'panel' })])).toEqual([]);
});
