import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createHost, type Host, type HostOptions } from '@toolpost/host';
import type { Session } from '@toolpost/protocol';

/** What the benches use of a host: everything as a user has it, journal and permissions included. */
export interface OpenHost {
  readonly host: Host;
  readonly session: Session;
  close(): Promise<void>;
}

export interface Folder {
  readonly dir: string;
  /** Another home directory at each call: its cache knows no plugin. */
  freshHome(): string;
  remove(): void;
}

export function makeFolder(): Folder {
  const dir = mkdtempSync(path.join(tmpdir(), 'toolpost-bench-'));
  let homes = 0;
  return {
    dir,
    freshHome: () => path.join(dir, `home-${homes++}`),
    remove: () => rmSync(dir, { recursive: true, force: true }),
  };
}

/** Opens a host whose home is `home`: a fresh one has an empty cache. Its warnings are errors here. */
export async function openHost(home: string, options: Omit<HostOptions, 'environment'>): Promise<OpenHost> {
  const { PATH, HOME } = process.env;
  const host = await createHost({
    roots: [home],
    ...options,
    environment: { PATH, HOME, TOOLPOST_HOME: home },
    onWarning: (message) => {
      throw new Error(message);
    },
  });
  return { host, session: host.openSession(), close: () => host.close() };
}

/** Calls a tool and makes sure that it did what it was asked to. */
export async function callTool({ host, session }: OpenHost, name: string, input: string): Promise<string> {
  const record = await host.callTool({ id: 'call-1', name, arguments: input }, session);
  if (record.outcome !== 'completed') throw new Error(`${name} ${record.outcome}: ${record.text}`);
  return record.text;
}

/** Writes the plugin `id` below `dir`, with the files given. */
export function writePlugin(
  dir: string,
  manifest: { id: string } & Record<string, unknown>,
  files: Record<string, string> = {},
): void {
  const folder = path.join(dir, manifest.id);
  mkdirSync(folder, { recursive: true });
  const common = {
    name: manifest.id,
    version: '1.0.0',
    description: 'A plugin of the benchmarks.',
    permissions: ['tools.register'],
  };
  writeFileSync(path.join(folder, 'plugin.json'), JSON.stringify({ ...common, ...manifest }));
  for (const [name, content] of Object.entries(files)) writeFileSync(path.join(folder, name), content);
}
