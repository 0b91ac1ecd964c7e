import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '@toolpost/protocol';
import type { HostCore } from '../host-core.ts';
import { listProviders } from '../models/providers.ts';
import type { PluginSlot } from '../plugin-life/plugin-slot.ts';
import { runForText } from '../settings/run-for-text.ts';
import type { MachineCheck } from './diagnosis.ts';

const OLDEST_NODE = [22, 18] as const;
const MAX_BYTES = 10_000;

/** What the host and its plugins stand on. What nothing here needs is told of, and no fault. */
export async function checkMachine(core: HostCore, slots: readonly PluginSlot[]): Promise<MachineCheck[]> {
  const enabled = slots.filter(({ isDisabled }) => !isDisabled).map(({ plugin }) => plugin);
  const needsPython = enabled.some(
    ({ file, manifest }) => file?.endsWith('.py') || /^python3?\b/.test(manifest.executable ?? manifest.entry ?? ''),
  );
  const needsWasm = enabled.some(({ manifest }) => manifest.runtime === 'wasm');
  return [
    nodeCheck(),
    await programCheck(core, ['python3', '--version'], {
      isNeeded: needsPython,
      remedy: 'install Python 3.9 or later',
    }),
    await programCheck(core, ['rg', '--version'], {
      isNeeded: false,
      remedy: 'install ripgrep: grep is faster with it',
    }),
    homeCheck(core.homeDir),
    await databaseCheck(core.homeDir),
    await transpilerCheck(core.homeDir, needsWasm),
    modelCheck(core),
  ];
}

function nodeCheck(): MachineCheck {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const isRight = major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1]);
  return check('node', isRight, process.version, { remedy: `install Node ${OLDEST_NODE.join('.')} or later` });
}

interface Need {
  readonly isNeeded?: boolean;
  readonly remedy: string;
}

function check(name: string, isFine: boolean, text: string, { isNeeded = true, remedy }: Need): MachineCheck {
  return { name, isFine, text, isFault: !isFine && isNeeded, ...(!isFine && { remedy }) };
}

async function programCheck(
  { homeDir, environment }: HostCore,
  argv: readonly string[],
  need: Need,
): Promise<MachineCheck> {
  const [name = ''] = argv;
  try {
    const said = await runForText(argv, { homeDir, environment, maxBytes: MAX_BYTES });
    return check(name, true, said.split('\n')[0]?.trim() ?? '', need);
  } catch (error) {
    const isAbsent = error instanceof Error && /ENOENT|not found|no program of this name/.test(error.message);
    return check(name, false, isAbsent ? 'not found' : lineOf(error), need);
  }
}

/** In a directory that others may open they could read secrets, or plant plugins; what lies in a closed one is closed. */
function homeCheck(homeDir: string): MachineCheck {
  const isOpen = process.platform !== 'win32' && (statSync(homeDir).mode & 0o077) !== 0;
  const text = isOpen ? `others may open ${homeDir}` : `${homeDir}, for you alone`;
  return check('home directory', !isOpen, text, { remedy: `chmod 700 ${homeDir}` });
}

async function databaseCheck(homeDir: string): Promise<MachineCheck> {
  const path = join(homeDir, 'sessions.db');
  const remedy = 'as it says; without it, sessions and what plugins keep are lost';
  try {
    const { openDatabase } = await import('../sessions/open-database.ts');
    if (!existsSync(path)) return check('database', true, 'none yet', { remedy });
    openDatabase(path).close();
    return check('database', true, path, { remedy });
  } catch (error) {
    return check('database', false, lineOf(error), { remedy });
  }
}

async function transpilerCheck(homeDir: string, isNeeded: boolean): Promise<MachineCheck> {
  const { findTranspiler, TRANSPILER_VERSION } = await import('../runtimes/wasm/transpiler.ts');
  try {
    findTranspiler(homeDir);
    return check('transpiler', true, `jco-transpile ${TRANSPILER_VERSION}, for WebAssembly plugins`, { remedy: '' });
  } catch (error) {
    const [text = '', remedy = ''] = lineOf(error).split('. Install it with: ');
    return check('transpiler', false, text, { isNeeded, remedy });
  }
}

/** Whether a key is right only its provider knows. */
function modelCheck({ settings, environment }: HostCore): MachineCheck {
  const providers = listProviders(environment);
  const ready = providers.filter(({ isReady }) => isReady).map(({ id }) => id);
  const wanted = /^[a-z-]+/.exec(settings.model ?? '')?.[0];
  const lacking = providers.find(({ id, isReady }) => id === wanted && !isReady);
  const variable = `${lacking?.id.toUpperCase()}_API_KEY`;
  if (lacking)
    return check('model', false, `${settings.model} is configured without a key`, { remedy: `export ${variable}=...` });
  return check('model', true, `${settings.model ?? 'none configured'}; usable here: ${ready.join(', ')}`, {
    remedy: '',
  });
}

function lineOf(error: unknown): string {
  return messageOf(error).replaceAll(/\s*\n\s*/g, ' ');
}
