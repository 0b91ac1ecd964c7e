import { expect, it } from 'vitest';
import { toolColumns } from './tool-columns.ts';

const row = (name: string) => ({ name, plugin: 'p', description: 'Does it.' });

it('lists tools as people look for them, whatever case their names are in', () => {
  const lines = toolColumns(['Note', 'Zip', 'bash', 'note_all'].map(row), 80).trimEnd().split('\n');
  expect(lines.map((line) => line.split(' ')[0])).toEqual(['bash', 'Note', 'note_all', 'Zip']);
});
