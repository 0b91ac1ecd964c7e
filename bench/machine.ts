import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import os from 'node:os';

/** What the figures depend on, beside the code. */
export function machineFacts() {
  const cpus = os.cpus();
  return {
    cpu: cpus[0]?.model ?? 'unknown',
    cores: cpus.length,
    memoryGb: Math.round(os.totalmem() / 2 ** 30),
    platform: `${os.platform()} ${os.release()} ${os.arch()}`,
    loadAverage: os.loadavg().map((load) => Number(load.toFixed(2))),
  };
}

export function versions(): Record<string, string> {
  const { devDependencies } = readJson('./package.json') as { devDependencies: Record<string, string> };
  const { version } = readJson('../packages/host/package.json') as { version: string };
  const python = spawnSync('python3', ['--version'], { encoding: 'utf8' }).stdout?.trim() ?? '';
  return { toolpost: version, node: process.versions.node, python: python.replace('Python ', ''), ...devDependencies };
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8'));
}
