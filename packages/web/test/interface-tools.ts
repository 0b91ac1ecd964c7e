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

/** Its chart has another number each time, in an option that is built anew; it says which series is hidden. */
export const CHANGING_CHART = `
import * as echarts from 'echarts';
import { useEffect, useState } from 'react';

export default function App() {
  const [count, setCount] = useState(0);
  const [hidden, setHidden] = useState('');
  useEffect(() => {
    const timer = setInterval(() => {
      const chart = echarts.getInstanceByDom(document.querySelector('.ui-echart'));
      const { selected = {} } = chart?.getOption()?.legend?.[0] ?? {};
      setHidden(Object.keys(selected).filter((name) => !selected[name]).join());
    }, 50);
    return () => clearInterval(timer);
  }, []);
  const series = ['in', 'out'].map((name) => ({ name, type: 'bar', data: [1, count] }));
  return (
    <div style={{ width: 400 }}>
      <UI.Button onClick={() => setCount(count + 1)}>More</UI.Button>
      <p>drawn {count} times, hidden: {hidden}</p>
      <UI.Chart option={{ legend: { left: 130, top: 0 }, xAxis: { data: ['a', 'b'] }, yAxis: {}, series }} />
    </div>
  );
}
`;

export const FORM = `
export default () => (
  <UI.Form action="order" data={{ gift: 'yes' }} submitLabel="Order it"
    fields={[{ name: 'amount', label: 'Amount', type: 'number', required: true }]} />
);`;

/** It throws in its fourth line. */
export const BROKEN = `const nothing = undefined;

export default function App() {
  return <p>{nothing.length}</p>;
}`;

export const SCENE = `
import { useEffect, useRef, useState } from 'react';
import * as THREE from 'three';
import { motion } from 'motion/react';

export default function App() {
  const place = useRef(null);
  const [drawn, setDrawn] = useState(false);
  useEffect(() => {
    const renderer = new THREE.WebGLRenderer({ preserveDrawingBuffer: true });
    renderer.setSize(160, 120);
    place.current.append(renderer.domElement);
    const scene = new THREE.Scene();
    scene.add(new THREE.Mesh(new THREE.BoxGeometry(), new THREE.MeshBasicMaterial({ color: 0xff0000 })));
    const camera = new THREE.PerspectiveCamera(50, 4 / 3, 0.1, 10);
    camera.position.z = 2;
    renderer.render(scene, camera);
    const pixel = new Uint8Array(4);
    renderer.getContext().readPixels(80, 60, 1, 1, 6408, 5121, pixel);
    setDrawn(pixel[0] === 255 && pixel[1] === 0);
  }, []);
  return <motion.div><div ref={place} />drawn: {String(drawn)}</motion.div>;
}`;

/** All of the library, in one interface. */
export const LIBRARY = `
export default function App() {
  const [open, setOpen] = React.useState(false);
  const [told, setTold] = React.useState(false);
  const rows = [{ name: 'search', p95: 84, state: 'good' }, { name: 'billing', p95: 612, state: 'bad' }];
  const columns = ['name', { key: 'p95', label: 'p95 (ms)' }, { key: 'state', render: (tone) => <UI.Badge tone={tone}>{tone}</UI.Badge> }];
  return (
    <UI.Stack>
      <UI.Grid columns={2}>
        <UI.Stat label="Visits" value={1234.5} change="+4 %" values={[1, 3, 2]} hint="today" />
        <UI.Stat label="Errors" value={3} change="-2" unit="a day" />
      </UI.Grid>
      <UI.Card title="Services" subtitle="all regions" actions={<UI.Button icon="refresh" action="refresh">Refresh</UI.Button>} footer="now">
        <UI.Table caption="Services" columns={columns} rows={rows} />
        <UI.Progress label="Done" value={40} /> <UI.Sparkline values={[3, 1, 2]} label="Load" /> <UI.Icon name="server" label="Server" />
      </UI.Card>
      <UI.Tabs tabs={[{ label: 'Lines', content: <UI.Chart title="By day" type="line" data={[{ day: 'Mon', a: 1, b: 2 }, { day: 'Tue', a: 3, b: 1 }]} /> },
        { label: 'Shares', content: <UI.Chart type="pie" labels={['x', 'y']} data={[1, 2]} /> }]} />
      <UI.Form action="save" fields={[{ name: 'text', label: 'Text', hint: 'A hint' }, { name: 'long', type: 'textarea' },
        { name: 'kind', type: 'select', options: ['a', { value: 'b', label: 'B' }] }, { name: 'yes', label: 'Yes', type: 'checkbox' }]} />
      <UI.Button variant="primary" onClick={() => setOpen(true)}>Open</UI.Button> <UI.Button variant="danger">Delete</UI.Button>
      <UI.Button variant="quiet" onClick={() => setTold(true)}>Tell</UI.Button>
      <UI.Modal open={open} title="A question" onClose={() => setOpen(false)}><p>Really?</p></UI.Modal>
      <UI.Toast open={told} tone="good" onClose={() => setTold(false)}>Told</UI.Toast>
    </UI.Stack>
  );
}`;
