import { readFileSync } from 'node:fs';
import { definePlugin, defineTool } from '@toolpost/sdk';

const parameters = [
  { name: 'name', type: 'string', required: true },
  { name: 'times', type: 'integer', required: true },
  { name: 'isLoud', type: 'boolean' },
];
// Beside it, so that the plugin is another one for each count.
const { count } = JSON.parse(readFileSync(new URL('count.json', import.meta.url), 'utf8'));

export default definePlugin({
  tools: [
    defineTool({
      name: 'echo',
      description: 'Gives its text back.',
      inputSchema: [{ name: 'text', type: 'string', required: true }],
      execute: ({ text }) => text,
    }),
    ...Array.from({ length: count }, (_item, index) =>
      defineTool({
        name: `tool_${index}`,
        description: `Tool number ${index}.`,
        inputSchema: parameters,
        execute: () => '',
      }),
    ),
  ],
});
