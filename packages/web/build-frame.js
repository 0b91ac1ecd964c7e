// Builds the frame in which interfaces of tools run: one page with everything in it, and beside it the libraries that a
// page sends into it when one is asked for. The page's policy names its script by what is in it, so that no other runs.
import { createHash } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const root = path.dirname(fileURLToPath(import.meta.url));
const source = path.join(root, 'src/frame');
const target = path.join(root, 'dist/frame');
const LIBS = ['echarts', 'three', 'motion'];

export async function buildFrame(plugins) {
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  writeFileSync(path.join(target, 'frame.html'), page(await bundle('main.ts', { format: 'iife', plugins })));
  for (const name of LIBS) {
    const external = ['react', 'react/jsx-runtime', 'react-dom'];
    const text = await bundle(`libs/${name}.ts`, { format: 'cjs', external, plugins });
    writeFileSync(path.join(target, `${name}.js`), text);
  }
}

async function bundle(entry, { format, plugins, external = [] }) {
  const [{ output }] = await build({
    root,
    configFile: false,
    plugins,
    logLevel: 'warn',
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      target: 'es2023',
      // Those that know `light-dark()`: what stands for it elsewhere follows no scheme that a script has chosen.
      cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
      write: false,
      lib: { entry: path.join(source, entry), formats: [format], name: 'toolpostFrame', fileName: 'frame' },
      rolldownOptions: {
        external,
        onLog: (level, log, report) => log.code !== 'MODULE_LEVEL_DIRECTIVE' && report(level, log),
        output: { codeSplitting: false },
      },
    },
  });
  return output[0].code;
}

/** What a frame may do. Nothing in it goes out to any place, and no script runs but this very one and what it evaluates. */
function policy(script) {
  const hash = createHash('sha256').update(script).digest('base64');
  return [
    `default-src 'none'; script-src 'sha256-${hash}' 'unsafe-eval'; style-src 'unsafe-inline'`,
    "img-src data: blob:; media-src data: blob:; font-src data:; connect-src 'none'; frame-src 'none'",
    "worker-src 'none'; object-src 'none'; form-action 'none'; base-uri 'none'",
  ].join('; ');
}

function page(code) {
  // A parser would take these for the end of the script, or the begin of another.
  const script = code.replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="content-security-policy" content="${policy(script)}">
<meta http-equiv="x-dns-prefetch-control" content="off">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>An interface of a tool</title>
</head>
<body>
<script>${script}</script>
</body>
</html>
`;
}
