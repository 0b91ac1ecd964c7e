// A plugin whose tool prints lines, in the host's process and, started by itself, in one of its own.
import { definePlugin, defineTool, serveStdio } from '@toolpost/sdk';
import { tick } from './tick.js';

const isProgram = process.argv[2] === 'stdio';
const number = (name) => ({ name, type: 'integer', description: `The number ${name}`, required: true });

const ticker = defineTool({
  name: isProgram ? 'ticker_program' : 'ticker_function',
  description: 'Prints lines.',
  inputSchema: ['count', 'paceMs', 'bytes'].map(number),
  async execute(input, { output, session }) {
    await tick(input, session.id, output);
    return 'ticked';
  },
});

const plugin = definePlugin({ tools: [ticker] });
if (isProgram) await serveStdio(plugin);
export default plugin;
