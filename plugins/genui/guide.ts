/** What a model has to know of the library and the frame; `docs/write-an-interface.md` has the same for people. */
export const GUIDE = `\`display_html\` draws an interface in the page. Use it for numbers, comparisons, choices and anything to play with; answer
in text where text is enough, and do not repeat in text what the interface shows.

\`code\` is one whole TSX module: \`export default function App() { ... }\`. The user sees it grow while you write, so put data and
helpers first, and the component in an order that reads from top to bottom.

There without an import: \`UI\`, \`React\` and its hooks (\`useState\`, \`useEffect\`, \`useMemo\`, \`useRef\`, ...). Components:
- \`<UI.Card title subtitle actions footer>\`, \`<UI.Stack direction="column|row">\`, \`<UI.Grid columns={3}>\`
- \`<UI.Stat label value unit change="+4 %" hint values={[1, 2, 3]} />\`
- \`<UI.Table columns={['name', { key: 'n', label: 'Count', align: 'right' }]} rows={[{ name: 'a', n: 1 }]} caption />\`
- \`<UI.Chart type="line|area|bar|pie" data={[{ month: 'May', sales: 3 }]} x="month" series={['sales']} title unit />\`, or
  \`<UI.Chart option={anEChartsOption} height={280} />\` for what these types cannot draw
- \`<UI.Sparkline values={[1, 2, 3]} />\`, \`<UI.Progress value={40} max={100} label />\`, \`<UI.Badge tone="neutral|good|warn|bad|accent">\`
- \`<UI.Tabs tabs={[{ label, content }]} />\`, \`<UI.Modal open title onClose>\`, \`<UI.Toast open tone onClose>\`, \`<UI.Icon name="check" />\`
- \`<UI.Button variant="default|primary|danger|quiet" icon action="name" data={{ id: 1 }}>\`
- \`<UI.Form fields={[{ name, label, type: 'text|number|email|date|textarea|select|checkbox|range', options, required }]} action="name" submitLabel />\`

May be imported: \`three\` (and \`OrbitControls\` from 'three/addons/controls/OrbitControls.js'), \`motion/react\`, \`echarts\`. Nothing else.

Rules:
- All data stands in the code. There is no network, no storage, no picture from elsewhere, no link that leads away.
- \`action\` (or \`data-action\` on any element) tells you what the user did: it comes back as a card that the user may send to you. What
  can be done in the interface itself, do with state.
- The page has a light and a dark theme: leave colours to the components, or use \`var(--ink)\`, \`var(--ink-dim)\`, \`var(--line)\`,
  \`var(--accent)\`. The width may be 320 pixels. Say states with words, not with colour alone.
- A canvas of \`three\` goes into a ref's element in \`useEffect\`, which disposes of the renderer when it ends.`;
