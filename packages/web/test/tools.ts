/** A plugin whose results are of every kind that the client shows. `show_*` may run without a question. */
export const TOOLS = `
import { existsSync } from 'node:fs';
import { definePlugin, defineTool } from '@toolpost/sdk';
const none = { type: 'object', properties: {} };
const label = { type: 'object', properties: { label: { type: 'string' } }, required: ['label'] };
const text = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] };
const untilExists = async (file, signal) => {
  while (!existsSync(file)) { signal.throwIfAborted(); await new Promise((done) => setTimeout(done, 10)); }
};
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
export default definePlugin({ tools: [
  defineTool({ name: 'show_lines', description: 'Prints lines, and waits for a file with the label as its name.', inputSchema: label, primaryArg: 'label',
    async execute({ label }, { output, roots, abortSignal }) {
      for (let index = 1; index <= 20; index++) output(label + ' line ' + index + '\\n');
      await untilExists(roots[0] + '/' + label, abortSignal);
      return 'all lines of ' + label;
    } }),
  defineTool({ name: 'show_table', description: 'Lists services.', inputSchema: none,
    execute: () => ({ content: 'three services', structuredContent: { services: [
      { name: 'gateway', region: 'eu-west', requests: 18234, healthy: true },
      { name: 'search', region: 'eu-west', requests: 9120, healthy: true },
      { name: 'billing', region: 'us-east', requests: 412, healthy: false } ] } }) }),
  defineTool({ name: 'show_tree', description: 'Shows a configuration.', inputSchema: none,
    execute: () => ({ content: 'a tree', structuredContent: { server: { port: 8080, tls: { enabled: true, hosts: ['a.example', 'b.example'] } } } }) }),
  defineTool({ name: 'show_image', description: 'Shows a picture.', inputSchema: none,
    execute: () => ({ content: [{ type: 'image', data: PNG, mimeType: 'image/png' }, { type: 'resource_link', uri: 'https://docs.example/page', name: 'The page' }] }) }),
  defineTool({ name: 'show_text', description: 'Gives the text back.', inputSchema: text, primaryArg: 'text', execute: ({ text }) => text }),
  defineTool({ name: 'show_markdown', description: 'Gives Markdown back.', inputSchema: text, ui: { mode: 'markdown' }, execute: ({ text }) => text }),
  defineTool({ name: 'show_drawing', description: 'Draws markup.', inputSchema: text,
    execute: ({ text }) => ({ content: 'drawn', metadata: { ui_code: text } }) }),
  defineTool({ name: 'show_odd', description: 'Gives metadata of odd kinds.', inputSchema: none,
    execute: () => ({ content: 'odd', metadata: { diff: 'no diff at all', view: 'nothing known', language: 'nothing known' } }) }),
  defineTool({ name: 'show_failure', description: 'Fails.', inputSchema: none, execute() { throw new Error('the disk is full'); } }),
  defineTool({ name: 'show_form', description: 'Asks a person.', inputSchema: none, async execute(_input, { ask }) {
    const schema = { type: 'object', properties: { size: { type: 'integer', title: 'Size' }, colour: { type: 'string', enum: ['red', 'green'] } }, required: ['size'] };
    return 'said ' + JSON.stringify(await ask({ message: 'How large?', schema }));
  } }),
  defineTool({ name: 'deploy', description: 'Deploys a service.', inputSchema: { type: 'object', properties: { service: { type: 'string' } } }, primaryArg: 'service',
    execute: ({ service }) => 'deployed ' + service }),
] });`;
