import { execFile } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

/** Where the npm package of a platform's Node keeps its program. */
const PACKAGE = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
const PROGRAM = process.platform === 'win32' ? 'bin/node.exe' : 'bin/node';

/**
 * The program of another Node version, installed on first use below node_modules/.cache.
 * @throws Error with the reason when it cannot be had; the caller skips with it.
 */
export async function nodeVersion(version: string): Promise<string> {
  const prefix = path.join(root, 'node_modules/.cache/nodes', version);
  const program = path.join(prefix, 'node_modules', PACKAGE, PROGRAM);
  if (existsSync(program)) return program;
  mkdirSync(prefix, { recursive: true });
  const args = ['install', '--prefix', prefix, '--no-save', '--no-package-lock', '--prefer-offline', '--no-audit'];
  try {
    await promisify(execFile)('npm', [...args, `${PACKAGE}@${version}`], { cwd: prefix, timeout: 120_000 });
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n').slice(0, 3).join(' ') : String(error);
    throw new Error(`Node ${version} cannot be installed: ${reason}`);
  }
  return program;
}
