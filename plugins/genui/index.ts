// One tool that draws, and what a model has to know to use it. What is drawn runs in a frame without any right.
import { definePlugin, defineTool, newToolError } from '@toolpost/sdk';
import { checkCode } from './check-code.ts';
import { GUIDE } from './guide.ts';

/** Where the client can show what is drawn. Elsewhere neither the tool nor its guide is there. */
const CHANNEL = 'web';

export const displayHtml = defineTool({
  name: 'display_html',
  description:
    'Show the user an interface in the page: a chart, a table, a form, a small application. Use it when a picture says more than text. `code` is one TSX module whose default export is a React component, made of `UI.*`.',
  inputSchema: {
    type: 'object',
    properties: {
      title: { type: 'string', description: 'What it shows, in a few words' },
      code: {
        type: 'string',
        description: 'A whole TSX module: export default function App() { return <UI.Card>...</UI.Card>; }',
      },
    },
    required: ['code'],
  },
  primaryArg: 'title',
  channels: [CHANNEL],
  ui: { mode: 'genui', param: 'code', libs: ['echarts', 'three', 'motion'], surface: 'inline' },
  async execute({ code }: { code: string }) {
    const checked = await checkCode(code);
    if ('problem' in checked)
      return newToolError(`Nothing is shown: ${checked.problem} Call display_html again with the whole module.`);
    const notes = checked.notes.map((note) => ` ${note}`).join('');
    return { content: `Shown (${checked.code.length} characters).${notes}`, ui_code: checked.code };
  },
});

export default definePlugin({
  tools: [displayHtml],
  enrichers: [{ name: 'Interfaces', channels: [CHANNEL], enrich: () => GUIDE }],
});
