import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BLOCKS_MODE, type ToolUi } from '@toolpost/protocol';
import { findWebClient } from '../server/web-client.ts';
import { RPC_CODES, RpcError } from './rpc-error.ts';

/** What the frame's script reads to know whose page it is. */
interface AppSettings {
  /** The tool's name on the wire; absent for the page that shows blocks of any tool. */
  readonly tool?: string;
  readonly ui: ToolUi;
}

/**
 * What the page may do, also where the client's own policy says nothing: no network, and no script from anywhere else. It
 * evaluates what a model wrote, which is why it is in a frame of the client.
 */
const POLICY = [
  "default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval'; style-src 'unsafe-inline'",
  "img-src data: blob:; media-src data: blob:; font-src data:; connect-src 'none'; frame-src 'none'",
  "worker-src 'none'; object-src 'none'; form-action 'none'; base-uri 'none'",
].join('; ');

const POLICY_TAG = /<meta http-equiv="content-security-policy" content="[^"]*">/;
const LIBS = ['echarts', 'three', 'motion'];

/**
 * A page by MCP Apps: the frame in which the web client runs interfaces, with the tool's settings and libraries in it. It
 * loads nothing.
 * @throws RpcError when the frame is not built.
 */
export async function appPage({ tool, ui }: AppSettings): Promise<string> {
  const frame = await frameFile('frame.html');
  const libs = (ui.libs ?? []).filter((name) => LIBS.includes(name));
  const texts = await Promise.all(libs.map(async (name) => libScript(name, await frameFile(`${name}.js`))));
  const settings = { tool, mode: ui.mode, param: ui.param, libs };
  const data = `<script type="application/json" id="toolpost-app">${inScript(JSON.stringify(settings))}</script>`;
  return (
    frame
      .replace(POLICY_TAG, () => `<meta http-equiv="content-security-policy" content="${POLICY}">`)
      // A function: `$&` in a library is no reference.
      .replace('<body>', () => `<body>${data}${texts.join('')}`)
  );
}

/** The page for results that have blocks, whatever tool they are of. */
export const BLOCKS_PAGE: AppSettings = { ui: { mode: BLOCKS_MODE } };

/** What a parser would take for the end of the script, or the begin of another, is written in another way. */
function libScript(name: string, text: string): string {
  return `<script type="text/plain" data-lib="${name}">${text.replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--')}</script>`;
}

/** JSON that cannot end the script that it stands in. */
function inScript(json: string): string {
  return json.replaceAll('<', '\\u003c');
}

const files = new Map<string, Promise<string>>();

/** Read once; one that was not there is looked for again, as it may be built meanwhile. */
function frameFile(name: string): Promise<string> {
  const known = files.get(name);
  if (known) return known;
  const reading = readFrameFile(name);
  files.set(name, reading);
  reading.catch(() => files.delete(name));
  return reading;
}

async function readFrameFile(name: string): Promise<string> {
  const dir = findWebClient();
  const text = dir && (await readFile(join(dir, 'frame', name), 'utf8').catch(() => undefined));
  if (text !== undefined) return text;
  throw new RpcError(RPC_CODES.internal, 'the pages of interfaces are not built: run `npm run build`');
}
