// A stdio plugin, with the tool's name as its argument.
import { defineTool, serveStdio } from '@toolpost/sdk';

const echo = defineTool({
  name: process.argv[2] ?? 'echo',
  description: 'Gives its text back.',
  inputSchema: [{ name: 'text', type: 'string', required: true }],
  execute: ({ text }) => text,
});

await serveStdio({ tools: [echo] });
