/** Numbers with their names, as a request has them: "apples 3, pears 5". */
export type Figures = readonly { readonly name: string; readonly value: number }[];

/** A chart of the figures, which the reader can look at in two ways. */
export function chartSketch(title: string, figures: Figures): string {
  return `const figures = ${JSON.stringify(figures)};

export default function App() {
  const total = figures.reduce((sum, { value }) => sum + value, 0);
  const largest = figures.reduce((one, other) => (other.value > one.value ? other : one));
  const chart = (type) => <UI.Chart type={type} data={figures} x="name" series={['value']} />;
  return (
    <UI.Card title={${JSON.stringify(title)}} subtitle="Drawn by the demo model, from a fixed sketch">
      <UI.Grid columns={3}>
        <UI.Stat label="Total" value={total} />
        <UI.Stat label="Largest" value={largest.name} hint={String(largest.value)} />
        <UI.Stat label="Course" value={figures.length} unit="values" values={figures.map(({ value }) => value)} />
      </UI.Grid>
      <UI.Tabs
        tabs={[
          { label: 'Bars', content: chart('bar') },
          { label: 'Line', content: chart('line') },
          { label: 'Table', content: <UI.Table columns={['name', 'value']} rows={figures} /> },
        ]}
      />
      <UI.Button icon="refresh" action="refresh" data={{ total }}>Ask for new numbers</UI.Button>
    </UI.Card>
  );
}
`;
}

/** A form whose answers come back as an action. */
export function formSketch(title: string): string {
  const fields = [
    { name: 'name', label: 'Name', required: true },
    { name: 'guests', label: 'Guests', type: 'number', value: 2, min: 1, max: 12 },
    { name: 'when', label: 'Day', type: 'date' },
    { name: 'table', label: 'Table', type: 'select', options: ['inside', 'outside'] },
    { name: 'quiet', label: 'A quiet place', type: 'checkbox' },
  ];
  return `const fields = ${JSON.stringify(fields, undefined, 2)};

export default function App() {
  const [isSent, setSent] = useState(false);
  return (
    <UI.Card title={${JSON.stringify(title)}} subtitle="Drawn by the demo model, from a fixed sketch">
      <UI.Form fields={fields} action="book" submitLabel="Book" onSubmit={() => setSent(true)} />
      {isSent && <UI.Badge tone="good">Told to whoever drew this</UI.Badge>}
    </UI.Card>
  );
}
`;
}

/** A solid that turns, and that the reader can turn. */
export function sceneSketch(title: string): string {
  return `${importOf('* as THREE', 'three')}
${importOf('{ OrbitControls }', 'three/addons/controls/OrbitControls.js')}

export default function App() {
  const place = useRef(null);
  const [isTurning, setTurning] = useState(true);
  const turning = useRef(true);
  turning.current = isTurning;
  useEffect(() => {
    const width = place.current.clientWidth;
    const renderer = new THREE.WebGLRenderer({ antialias: true, alpha: true });
    renderer.setSize(width, 280);
    place.current.append(renderer.domElement);
    const scene = new THREE.Scene();
    const camera = new THREE.PerspectiveCamera(45, width / 280, 0.1, 100);
    camera.position.set(3, 2, 4);
    const light = new THREE.DirectionalLight(0xffffff, 2);
    light.position.set(4, 6, 5);
    const solid = new THREE.Mesh(
      new THREE.TorusKnotGeometry(0.8, 0.28, 128, 24),
      new THREE.MeshStandardMaterial({ color: 0x4a7bd0, roughness: 0.35 }),
    );
    scene.add(light, new THREE.AmbientLight(0xffffff, 0.6), solid);
    const controls = new OrbitControls(camera, renderer.domElement);
    renderer.setAnimationLoop(() => {
      if (turning.current) solid.rotation.y += 0.01;
      controls.update();
      renderer.render(scene, camera);
    });
    return () => {
      renderer.setAnimationLoop(null);
      controls.dispose();
      renderer.dispose();
      renderer.domElement.remove();
    };
  }, []);
  return (
    <UI.Card title={${JSON.stringify(title)}} subtitle="Drawn by the demo model, from a fixed sketch">
      <div ref={place} style={{ height: 280 }} role="img" aria-label="A knot that turns" />
      <UI.Button icon={isTurning ? 'pause' : 'play'} onClick={() => setTurning(!isTurning)}>
        {isTurning ? 'Hold it' : 'Turn it'}
      </UI.Button>
    </UI.Card>
  );
}
`;
}

/** Not spelled out above: it is no import of this module. */
function importOf(names: string, module: string): string {
  return ['import', names, 'from', `'${module}';`].join(' ');
}
