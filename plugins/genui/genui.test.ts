import { callTool, drivePlugin } from '@toolpost/sdk/testing';
import { describe, expect, it } from 'vitest';
import plugin, { displayHtml } from './index.ts';

const APP = 'export default function App() { return <UI.Card title="It\'s">text</UI.Card>; }';
const show = (code: string) => callTool(displayHtml, { code });

describe('display_html', () => {
  it.each([
    ['a default export', APP],
    ['a component that is named App', 'const App = () => <b>x</b>;'],
    ['an export by name', 'function Board() { return <b>x</b>; }\nexport { Board as default };'],
    ['types and apostrophes', 'type Row = { n: number };\nexport default () => <p>don\'t {"}"} {(1 as number)}</p>;'],
    [
      'what may be imported',
      `import * as THREE from 'three';\nimport { motion } from 'motion/react';\nexport default () => <motion.p>{THREE.REVISION}</motion.p>;`,
    ],
    [
      'words that look like code',
      'export default () => <p title="require(\'axios\')">{"const App = fetch"} {`localStorage`} {/fetch/.source}</p>;',
    ],
    ['another binding that is App', 'let Board, App = () => <b>x</b>;'],
    ['elements without TSX', "import { createElement } from 'react';\nexport default () => createElement('p');"],
  ])('shows %s, and says little of it', async (_what, code) => {
    const { content, metadata, isError } = await show(code);
    expect({ isError, metadata }).toEqual({ isError: false, metadata: { ui_code: code } });
    expect(content).toEqual([{ type: 'text', text: `Shown (${code.length} characters).` }]);
  });

  it.each([
    [
      'declared in the module',
      'const Card = ({ children }) => <b>{children}</b>;\nexport default () => <Card>x</Card>;',
    ],
    [
      'taken out of the library',
      'const { Card, Stat: Figure } = UI;\nexport default () => <Card><Figure label="a" /></Card>;',
    ],
    ['renamed', 'const { Grid: Card } = UI;\nexport default () => <Card>x</Card>;'],
    ['imported', "import { Card } from 'ui';\nexport default () => <Card>x</Card>;"],
    [
      'a parameter',
      'const draw = ({ Icon, text }) => <Icon>{text}</Icon>;\nexport default () => draw({ Icon: "b", text: "x" });',
    ],
  ])('knows a component that is %s', async (_what, code) => {
    expect(await show(code)).toMatchObject({ isError: false });
  });

  it('takes the module out of words around it', async () => {
    const said = `Here it is:\n\`\`\`tsx\n${APP}\n\`\`\`\nIs it right?`;
    expect((await show(said)).metadata).toEqual({ ui_code: `${APP}\n` });
  });

  it('takes fences away', async () => {
    expect((await show(`\`\`\`tsx\n${APP}\n\`\`\`\n`)).metadata).toEqual({ ui_code: `${APP}\n` });
  });

  it.each([
    ['nothing', '```tsx\n```', 'the code is empty'],
    ['what is cut', 'export default function App() {\n  return <UI.Card>\n}', 'does not compile'],
    [
      'a wrong sign',
      'export default () => <b>x</b>;\nconst a = ;',
      'line 2: Unexpected token. The line is "const a = ;".',
    ],
    ['another package', "import x from 'axios';\nexport default () => <b>{x}</b>;", '"axios" cannot be imported'],
    [
      'another package on demand',
      'export default () => <b onClick={() => import(`axios`)}>x</b>;',
      '"axios" cannot be',
    ],
    ['one by a name in quotes', 'const x = require("axios");\nexport default () => <b>{x}</b>;', '"axios" cannot be'],
    ['one by a computed name', 'export default () => <b onClick={() => import("a" + "b")}>x</b>;', 'name is computed'],
    ['an App in a comment', '// const App = 1\n/* function App() {} */\nconst Board = () => <b>x</b>;', 'no component'],
    ['an App in a text', 'const Board = () => <b>{"function App"}</b>;', 'there is no component'],
    ['an App within another', 'function Board() { const App = () => <b>x</b>; return <App />; }', 'no component'],
    ['a page of HTML', '<!doctype html><h1>Hi</h1>', 'a page of HTML, not a module'],
    [
      'a component of the library by its bare name',
      'export default () => <Card>x</Card>;',
      'Card is not defined: it is `UI.Card`',
    ],
    ['no component', 'const Board = () => <b>x</b>;', 'there is no component'],
    ['a component that draws nothing', 'export default function App() { return null; }', 'draws nothing'],
    ['a component that draws an empty fragment', 'export default () => <></>;', 'draws nothing'],
  ])('shows nothing of %s, and says why', async (_what, code, why) => {
    const { content, metadata, isError } = await show(code);
    expect({ isError, metadata }).toEqual({ isError: true, metadata: undefined });
    expect(JSON.stringify(content)).toContain(JSON.stringify(why).slice(1, -1));
    expect(JSON.stringify(content)).toContain('Call display_html again');
  });

  it('says of what is out of reach that it is', async () => {
    const code = "export default () => <b onClick={() => fetch('/x')}>x</b>;";
    expect(JSON.stringify(await show(code))).toContain('fetch does not work in it');
  });
});

describe('the guide', () => {
  it('is for the system prompt of sessions that can show interfaces, and of no other, as the tool is', async () => {
    const driver = await drivePlugin(plugin);
    expect(driver.enrichers).toEqual([{ name: 'Interfaces', channels: ['web'] }]);
    expect(displayHtml.channels).toEqual(['web']);
    expect(await driver.enrich('Interfaces', { channel: 'web' })).toContain('UI.Chart');
    await driver.deactivate();
  });
});
