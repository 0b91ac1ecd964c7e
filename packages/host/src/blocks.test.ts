import { expect, it } from 'vitest';
import { callIn, createHostWorld } from './fixtures/host-world.ts';

const PYTHON = `
import toolpost

@toolpost.tool
def cities() -> toolpost.ToolResult:
    """Lists cities."""
    table = toolpost.table(["city", "n"], [["Oslo", 3], {"city": "Rome", "n": 1}], title="Cities")
    chart = toolpost.chart([3, 1], labels=["Oslo", "Rome"], unit="k")
    form = toolpost.form("visit", ["name", {"name": "where", "options": ["Oslo", "Rome"]}])
    bad = {"type": "tree", "nodes": [5]}
    builder = toolpost.result_builder().content("Two cities.").block(table).block(chart).block(form).block(bad)
    return builder.block(toolpost.diff(before="a", after="b")).block(toolpost.markdown("**b**")).build()

toolpost.serve()
`;

it('a Python plugin has each kind of block, by the names that TypeScript has', async () => {
  const world = createHostWorld();
  world.write('plugins/places/main.py', PYTHON);
  world.write('plugins/places/plugin.json', {
    ...{ id: 'places', name: 'places', version: '1.0.0', description: 'For tests.', permissions: ['tools.register'] },
    ...{ runtime: 'stdio', entry: 'python3 main.py' },
  });
  const host = await world.open();
  const warnings: string[] = [];
  const { metadata, text, outcome } = await callIn(
    host,
    host.openSession(),
    'cities',
    {},
    {
      onEvent: (event) => event.type === 'warning' && warnings.push(event.message),
    },
  );
  await host.close();
  expect(outcome).toBe('completed');
  expect(metadata?.blocks).toMatchObject([
    {
      type: 'table',
      title: 'Cities',
      columns: [{ label: 'city' }, { label: 'n' }],
      rows: [
        ['Oslo', 3],
        ['Rome', 1],
      ],
    },
    { type: 'chart', kind: 'bar', unit: 'k', series: [{ values: [3, 1] }] },
    { type: 'form', action: 'visit', fields: [{ kind: 'text' }, { kind: 'select', options: ['Oslo', 'Rome'] }] },
    { type: 'diff', patch: expect.stringContaining('-a') },
    { type: 'markdown', text: '**b**' },
  ]);
  expect(text).toMatch(/^Two cities\.\n\nCities\n\n\| city \| n \|\n/);
  expect(warnings).toEqual([expect.stringMatching(/^places: cities: metadata\.blocks\[3\]\.nodes\[0\]: found 5/)]);
});
