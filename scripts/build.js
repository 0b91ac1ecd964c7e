// Builds everything that runs: types and each package's dist by `tsc -b`, then the command as one bundle, so that it
// starts fast, then the copies that the published packages carry. Needs the installed packages.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { buildWebClient } from './build-web-client.js';
import { collectPackages, NOTICES, writeNotices } from './third-party-notices.js';

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '..');
const cli = path.join(root, 'packages/cli');
const dist = path.join(cli, 'dist');

/** Every file that something starts or imports by name. Worker and child entries find their siblings beside them. */
const ENTRIES = {
  main: 'packages/cli/src/main.ts',
  'serve-plugin': 'packages/host/dist/runtimes/native/serve-plugin.js',
  'search-worker': 'packages/host/dist/builtin/search-worker.js',
  'wasm-worker': 'packages/host/dist/runtimes/wasm/wasm-worker.js',
  'transpile-worker': 'packages/host/dist/runtimes/wasm/transpile-worker.js',
  sdk: 'packages/sdk/dist/index.js',
  'sdk-fs': 'packages/sdk/dist/fs/index.js',
  'sdk-testing': 'packages/sdk/dist/testing/index.js',
  zod: 'node_modules/zod/index.js',
  'zod-v4': 'node_modules/zod/v4/index.js',
  'zod-mini': 'node_modules/zod/mini/index.js',
  'zod-locales': 'node_modules/zod/v4/locales/index.js',
};

/** What `toolpost build` puts into a component: the same packages, as they are where there is no Node. */
const COMPONENT_MODULES = {
  sdk: 'packages/sdk/dist/wasm/index.js',
  fs: 'packages/sdk/dist/wasm/guest-files.js',
  zod: ENTRIES.zod,
  'zod-v4': ENTRIES['zod-v4'],
  'zod-mini': ENTRIES['zod-mini'],
};

/**
 * Zod's messages in sixty languages are more than half of it and read at every start. The bundle loads them when one is
 * asked for; English, the default, has its own place in zod.
 */
const lazyLocales = {
  name: 'lazy-zod-locales',
  resolveId: (source, importer) => (source === '../locales/index.js' && importer ? '\0lazy-zod-locales' : undefined),
  load(id) {
    if (id !== '\0lazy-zod-locales') return undefined;
    const index = readFileSync(path.join(root, ENTRIES['zod-locales']), 'utf8');
    const names = [...index.matchAll(/export \{ default as (\w+) \}/g)].map(([, name]) => name);
    return [
      "import { createRequire } from 'node:module';",
      "const load = () => createRequire(import.meta.url)('./zod-locales.js');",
      ...names.map((name) => `export const ${name} = () => load().${name}();`),
    ].join('\n');
  },
};

/**
 * An `import` of `node:fs` makes Node touch everything in it, and with that load all of its streams: a tenth of a start.
 * Taking a built-in module as the object that it is touches what is used. Those that offer only functions and take long
 * to load are taken when one is called.
 */
const LAZY_BUILTINS = new Set([
  'node:child_process',
  'node:crypto',
  'node:fs/promises',
  'node:readline',
  'node:stream/consumers',
  'node:timers/promises',
]);

const builtinsAsObjects = {
  name: 'builtins-as-objects',
  renderChunk: (code) =>
    code.replace(
      /^import (?:([\w$]+)|\* as ([\w$]+)|(?:([\w$]+), )?\{ ([^}]*) \}) from "(node:[^"]+)";$/gm,
      takeBuiltin,
    ),
};

function takeBuiltin(_import, name, namespace, beside, list, module) {
  const isLazy = LAZY_BUILTINS.has(module);
  const taken = `globalThis.process.getBuiltinModule("${module}")`;
  const whole = isLazy ? `new Proxy({}, { get: (_, key) => ${taken}[key] })` : taken;
  const part = (from) => (isLazy ? `(...args) => ${taken}.${from}(...args)` : `${taken}.${from}`);
  const names = (list?.split(', ') ?? []).map((item) => item.split(' as '));
  return [
    ...[name, namespace, beside].filter(Boolean).map((to) => `const ${to} = ${whole};`),
    ...names.map(([from, to = from]) => `const ${to} = ${from === 'default' ? whole : part(from)};`),
  ].join('\n');
}

/**
 * Ink looks for React's developer tools where the variable DEV is set, and React itself at every start for which of its two
 * builds is wanted: a command has no use for either.
 */
const INK_IN_A_BUNDLE = { 'process.env.NODE_ENV': '"production"', 'process.env.DEV': '"false"' };

const noDevtools = {
  name: 'no-react-devtools',
  resolveId: (source) => (source === 'react-devtools-core' ? '\0no-react-devtools' : undefined),
  load: (id) => (id === '\0no-react-devtools' ? 'export default undefined;' : undefined),
};

/** The packages of which something is in the command's package. */
const bundled = new Set();

const typesAreRight = compile();
await bundle();
await bundleComponentModules();
await buildWebClient([path.join(dist, 'web'), path.join(root, 'packages/host/dist/web')]);
await copyWhatPackagesCarry();
writeNotices(path.join(dist, NOTICES), bundled);
// After a type error everything that could be built is there, but a caller must not take it for a good build.
if (!typesAreRight) process.exitCode = 1;

/** Only what runs: a wrong type in a test is found by `npm test`, and keeps nobody from starting. */
function compile() {
  const tsc = path.join(root, 'node_modules/typescript/bin/tsc');
  const projects = readdirSync(path.join(root, 'packages'))
    .map((name) => path.join('packages', name))
    .filter((dir) => existsSync(path.join(root, dir, 'tsconfig.json')));
  return spawnSync(process.execPath, [tsc, '-b', ...projects], { cwd: root, stdio: ['ignore', 2, 2] }).status === 0;
}

async function bundle() {
  // What the published package depends on stays outside and is loaded when used; everything else is in the bundle.
  const { dependencies, peerDependencies } = JSON.parse(readFileSync(path.join(cli, 'package.json'), 'utf8'));
  const external = Object.keys({ ...dependencies, ...peerDependencies }).map((name) => new RegExp(`^${name}(/|$)`));
  const bundler = await rolldown({
    cwd: root,
    input: Object.fromEntries(Object.entries(ENTRIES).filter(([, file]) => existsSync(path.join(root, file)))),
    platform: 'node',
    external,
    plugins: [lazyLocales, noDevtools, builtinsAsObjects, collectPackages(bundled)],
    transform: { define: INK_IN_A_BUNDLE },
    logLevel: 'warn',
  });
  const before = existsSync(dist) ? readdirSync(dist) : [];
  const { output } = await bundler.write({
    dir: dist,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
    minify: false,
  });
  await bundler.close();
  removeFormerChunks(before, new Set(output.map((file) => file.fileName)));
}

async function bundleComponentModules() {
  const dir = path.join(dist, 'component');
  const bundler = await rolldown({
    cwd: root,
    input: COMPONENT_MODULES,
    platform: 'neutral',
    external: /^(?:toolpost|wasi):/,
    plugins: [collectPackages(bundled)],
    logLevel: 'warn',
  });
  const before = existsSync(dir) ? readdirSync(dir) : [];
  const { output } = await bundler.write({ dir, format: 'esm', chunkFileNames: '[name]-[hash].js', minify: false });
  await bundler.close();
  removeFormerChunks(before, new Set(output.map((file) => file.fileName)), dir);
  cpSync(path.join(root, 'packages/protocol/wit'), path.join(dir, 'wit'), { recursive: true });
}

/** The old chunks go last: a command that is starting meanwhile still finds its own. */
function removeFormerChunks(before, written, dir = dist) {
  for (const file of before) if (file.endsWith('.js') && !written.has(file)) rmSync(path.join(dir, file));
}

/** The bundled plugins, the Python SDK and the JSON Schemas for editors lie at the root; the packages get copies. */
async function copyWhatPackagesCarry() {
  for (const name of ['config.schema.json', 'plugin.schema.json'])
    cpSync(path.join(root, 'docs', name), path.join(dist, name));
  copyFolder('plugins', 'packages/cli/plugins');
  leaveOutComponents('packages/cli/plugins');
  await compilePlugins('packages/cli/plugins');
  copyFolder('python', 'packages/cli/python');
  copyFolder('python', 'packages/host/python');
}

function copyFolder(from, to) {
  rmSync(path.join(root, to), { recursive: true, force: true });
  if (!existsSync(path.join(root, from))) return;
  const isShipped = (file) => !/[\\/](\.[^\\/]*|__pycache__|node_modules|tests|[^\\/]*\.test\.ts)$/.test(file);
  cpSync(path.join(root, from), path.join(root, to), { recursive: true, filter: isShipped });
}

/** A component needs an optional install: an example that does not run everywhere is bundled nowhere. */
function leaveOutComponents(folder) {
  for (const name of existsSync(path.join(root, folder)) ? readdirSync(path.join(root, folder)) : []) {
    const dir = path.join(root, folder, name);
    const { runtime } = JSON.parse(readFileSync(path.join(dir, 'plugin.json'), 'utf8'));
    if (runtime === 'wasm') rmSync(dir, { recursive: true });
  }
}

/** Node strips no types inside a node_modules folder, where the package will lie: its native plugins become JavaScript. */
async function compilePlugins(folder) {
  for (const name of existsSync(path.join(root, folder)) ? readdirSync(path.join(root, folder)) : []) {
    const dir = path.join(root, folder, name);
    const manifest = JSON.parse(readFileSync(path.join(dir, 'plugin.json'), 'utf8'));
    const entry = manifest.entry ?? 'index.ts';
    if (!entry.endsWith('.ts') || !existsSync(path.join(dir, entry))) continue;
    // Of packages only ours and zod are there beside a plugin; another one comes with it.
    const isThere = (source) => /^(node:|@toolpost\/|zod(\/|$))/.test(source);
    const bundler = await rolldown({
      cwd: dir,
      input: `./${entry}`,
      platform: 'node',
      external: isThere,
      plugins: [collectPackages(bundled)],
      resolve: { mainFields: ['module', 'main'] },
      logLevel: 'warn',
    });
    const compiled = entry.replace(/\.ts$/, '.js');
    // What a plugin imports when it needs it is a file of its own, read only then.
    const names = { entryFileNames: compiled, chunkFileNames: '[name].js' };
    const { output } = await bundler.generate({ format: 'esm', ...names });
    await bundler.close();
    for (const file of readdirSync(dir, { recursive: true })) if (file.endsWith('.ts')) rmSync(path.join(dir, file));
    for (const chunk of output) writeFileSync(path.join(dir, chunk.fileName), chunk.code);
    if (manifest.entry)
      writeFileSync(path.join(dir, 'plugin.json'), JSON.stringify({ ...manifest, entry: compiled }, null, 2));
  }
}
