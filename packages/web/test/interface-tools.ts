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
