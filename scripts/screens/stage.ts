import { mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  type ProviderAnswer,
  startScriptedProvider,
} from '../../packages/host/src/models/fixtures/scripted-provider.ts';
import { FILES, PLUGIN } from './story.ts';

export interface Stage {
  /** The project, which the command is run in. */
  readonly root: string;
  readonly env: Readonly<Record<string, string>>;
  readonly args: readonly string[];
  [Symbol.asyncDispose](): Promise<void>;
}

/** A home, a project, a plugin and a model that says `answers`, in a folder whose name the pictures may show. */
export async function setStage(answers: readonly ProviderAnswer[]): Promise<Stage> {
  const dir = path.join(realpathSync(tmpdir()), 'shop');
  rmSync(dir, { recursive: true, force: true });
  const root = path.join(dir, 'orders');
  const provider = await startScriptedProvider(answers);
  const write = (name: string, text: string) => {
    mkdirSync(path.dirname(path.join(dir, name)), { recursive: true, mode: 0o700 });
    writeFileSync(path.join(dir, name), text);
  };
  for (const [name, text] of Object.entries(FILES)) write(`orders/${name}`, text);
  write('plugins/warehouse/index.js', PLUGIN);
  write('plugins/warehouse/package.json', '{ "type": "module" }');
  const manifest = { id: 'warehouse', name: 'Warehouse', version: '1.0.0', runtime: 'native', entry: 'index.js' };
  write('plugins/warehouse/plugin.json', JSON.stringify({ ...manifest, permissions: ['tools.register'] }));
  const permissions = { allow: ['rows_by_feed', 'display_html', 'bash(node --test *)'] };
  write('home/config.json', JSON.stringify({ model: `openai-compatible:story@${provider.url}`, permissions }));
  const { PATH = '', HOME = '' } = process.env;
  return {
    root,
    env: { PATH, HOME, TOOLPOST_HOME: path.join(dir, 'home'), LANG: 'C.UTF-8' },
    args: ['--plugins', path.join(dir, 'plugins'), '--root', root],
    async [Symbol.asyncDispose]() {
      await provider[Symbol.asyncDispose]();
      rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
