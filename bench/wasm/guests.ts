import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { buildComponent } from '@toolpost/host';
import { callTool, type Folder, type OpenHost, openHost, writePlugin } from '../toolpost-host.ts';
import { textOfLength } from '../workload.ts';

const C_GUEST = new URL('../../packages/host/src/runtimes/wasm/fixtures/guest/guest.wasm', import.meta.url);
const SOURCE = `
import { definePlugin, defineTool } from '@toolpost/sdk';
export default definePlugin({ tools: [defineTool({
  name: 'echo_js',
  description: 'Gives its text back.',
  inputSchema: [{ name: 'text', type: 'string', required: true }],
  execute: ({ text }) => text,
})] });
`;

export type GuestId = 'guest' | 'echo-js';

/** Plugins that are WebAssembly components: `guest`, in C for the world ein:plugin, and `echo-js`, built of TypeScript. */
export interface WasmGuests {
  /** Opens a host with both, whose home is `home`. */
  open(home: string): Promise<OpenHost>;
  /** Opens a host with one of them. */
  openOne(home: string, id: GuestId): Promise<OpenHost>;
}

/** Builds the plugins in a folder, which takes seconds. */
export async function makeGuests({ dir }: Pick<Folder, 'dir'>): Promise<WasmGuests> {
  const plugins = `${dir}/plugins`;
  writePlugin(`${dir}/source`, { id: 'echo-js', runtime: 'native', entry: 'index.js' }, { 'index.js': SOURCE });
  await buildComponent(`${dir}/source/echo-js`, { outDir: `${plugins}/echo-js` });
  writePlugin(plugins, { id: 'guest', runtime: 'wasm', entry: 'guest.wasm' });
  copyFileSync(C_GUEST, `${plugins}/guest/guest.wasm`);
  writeFileSync(`${dir}/config.json`, JSON.stringify({ toolPolicy: { guest: { spawn: true } } }));
  mkdirSync(`${dir}/root`);
  return guestsIn(dir);
}

/** The plugins of a folder in which they were built. */
export function guestsIn(dir: string): WasmGuests {
  const options = { configFile: `${dir}/config.json`, roots: [`${dir}/root`], allow: ['guest', 'echo_js'] };
  return {
    open: (home) => openHost(home, { ...options, pluginDirs: [`${dir}/plugins`] }),
    openOne: (home, id) => openHost(home, { ...options, pluginDirs: [`${dir}/plugins/${id}`] }),
  };
}

const INPUTS = {
  guest: JSON.stringify({ op: 'echo', text: textOfLength(100) }),
  'echo-js': JSON.stringify({ text: textOfLength(100) }),
};
const TOOLS = { guest: 'guest', 'echo-js': 'echo_js' };

/** One call there and back, with 100 B. */
export function callGuest(toolpost: OpenHost, id: GuestId): Promise<string> {
  return callTool(toolpost, TOOLS[id], INPUTS[id]);
}

/** The same host with another session, which gets instances of its own. */
export function otherSession(toolpost: OpenHost): OpenHost {
  return { ...toolpost, session: toolpost.host.openSession() };
}
