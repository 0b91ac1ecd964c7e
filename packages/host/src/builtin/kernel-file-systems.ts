import { statfsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errorCode } from './tool-failure.ts';

/**
 * File systems of Linux that are doors to the kernel and to other processes, whose environments hold what no tool is
 * given: proc, sys, cgroup, debugfs and so on.
 */
const TYPES: ReadonlySet<number> = new Set([
  0x9fa0, 0x62656572, 0x27e0eb, 0x63677270, 0x64626720, 0x74726163, 0x73636673, 0xcafe4a11, 0x62656570, 0xde5e81e4,
]);

/** Whether what is open under a path lies in one; `device` is its device number. */
export type KernelCheck = (path: string, device: number | bigint) => boolean;

/** Looks once at each file system that is met. */
export function createKernelCheck(): KernelCheck {
  const byDevice = new Map<number | bigint, boolean>();
  return (path, device) => {
    const known = byDevice.get(device);
    if (known !== undefined) return known;
    const found = process.platform === 'linux' && TYPES.has(statfsSync(path).type);
    byDevice.set(device, found);
    return found;
  };
}

/** Whether a real path, or the deepest of its parents that exists, lies in one. */
export async function isInKernelFileSystem(path: string): Promise<boolean> {
  if (process.platform !== 'linux') return false;
  try {
    return TYPES.has((await statfs(path)).type);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT' || dirname(path) === path) throw error;
    return isInKernelFileSystem(dirname(path));
  }
}
