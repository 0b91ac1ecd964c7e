/** A plugin whose tools draw: by an argument that the model writes, or by what their result carries. */
export const INTERFACE_TOOLS = `
import { definePlugin, defineTool } from '@toolpost/sdk';
const code = { type: 'object', properties: { code: { type: 'string' } }, required: ['code'] };
const draw = (name, ui) => defineTool({ name, description: 'Draws by ' + ui.mode + '.', inputSchema: code,
  ui: { param: 'code', ...ui }, execute: () => 'drawn' });
export default definePlugin({ tools: [
  draw('show_genui', { mode: 'genui', libs: ['echarts', 'three', 'motion'] }),
  draw('show_plain', { mode: 'genui' }),
  draw('show_html', { mode: 'html' }),
  draw('show_chart', { mode: 'chart' }),
  draw('show_words', { mode: 'markdown' }),
  draw('show_beside', { mode: 'genui', surface: 'panel' }),
  defineTool({ name: 'show_result', description: 'Draws what its result carries.', inputSchema: code, ui: { mode: 'genui' },
    execute: ({ code }) => ({ content: 'drawn', metadata: { ui_code: code } }) }),
] });`;

export const COUNTER = `
import { useState } from 'react';

export default function App() {
  const [count, setCount] = useState(0);
  return (
    <UI.Card title="A counter">
      <UI.Button onClick={() => setCount(count + 1)}>Pressed {count} times</UI.Button>
      <UI.Button action="order" data={{ count }}>Order</UI.Button>
    </UI.Card>
  );
}
`;
