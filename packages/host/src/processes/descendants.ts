import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** The processes below `pid`, by their parents. One whose parent has ended is no longer below it. */
export function descendantsOf(pid: number): number[] {
  if (process.platform === 'linux') return walk(pid, childrenFromProc);
  if (process.platform === 'win32') return [];
  const children = childrenFromPs();
  return walk(pid, (parent) => children.get(parent) ?? []);
}

function walk(root: number, childrenOf: (pid: number) => readonly number[]): number[] {
  const found: number[] = [];
  const seen = new Set([root]);
  for (let waiting = [root]; waiting.length > 0; ) {
    const children = waiting.flatMap(childrenOf).filter((pid) => !seen.has(pid));
    for (const pid of children) seen.add(pid);
    found.push(...children);
    waiting = children;
  }
  return found;
}

/** Children belong to the thread that started them. Costs as much as there are descendants, not processes. */
function childrenFromProc(pid: number): number[] {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    const lists = threads.map((thread) => readFileSync(`/proc/${pid}/task/${thread}/children`, 'latin1'));
    return lists.flatMap((list) => list.split(' ').filter(Boolean).map(Number));
  } catch {
    // It ended meanwhile; or this kernel has no such file, and the markers have to do.
    return [];
  }
}

function childrenFromPs(): Map<number, number[]> {
  const children = new Map<number, number[]>();
  try {
    const table = execFileSync('ps', ['-axo', 'pid=,ppid='], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    for (const line of table.split('\n')) {
      const [pid, parent] = line.trim().split(/\s+/).map(Number);
      if (pid === undefined || parent === undefined || Number.isNaN(parent)) continue;
      const siblings = children.get(parent);
      if (siblings) siblings.push(pid);
      else children.set(parent, [pid]);
    }
  } catch {
    // Without `ps` the process group has to do.
  }
  return children;
}
