import { mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

const POLL_MS = 100;
const HEARTBEAT_MS = 2000;
/** For a holder on another machine (a shared folder), whose process cannot be looked up. */
const SILENT_MS = 30_000;

/**
 * Runs `work` while no other process runs work under the same lock file. A lock whose holder died is taken over.
 * `onWait` is called once when there is someone to wait for.
 */
export async function exclusive(file, work, onWait) {
  mkdirSync(path.dirname(file), { recursive: true });
  for (let waits = 0; !tryCreate(file); waits += 1) {
    if (removeWhenStale(file)) continue;
    if (waits === 0) onWait();
    await wait(POLL_MS);
  }
  const heartbeat = setInterval(() => touch(file), HEARTBEAT_MS);
  try {
    return await work();
  } finally {
    clearInterval(heartbeat);
    rmSync(file, { force: true });
  }
}

function tryCreate(file) {
  try {
    writeFileSync(file, `${process.pid} ${hostname()}`, { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

function removeWhenStale(file) {
  try {
    const holder = readFileSync(file, 'utf8');
    if (!isStale(holder, statSync(file).mtimeMs)) return false;
    // Renaming succeeds for one of several that saw the same stale lock; what they took must still be that one.
    const taken = `${file}.${process.pid}`;
    renameSync(file, taken);
    if (readFileSync(taken, 'utf8') !== holder) renameSync(taken, file);
    else rmSync(taken);
    return true;
  } catch (error) {
    if (error.code === 'ENOENT') return true;
    throw error;
  }
}

function isStale(holder, touchedMs) {
  const [pid, host] = holder.split(' ');
  // An empty file is a lock in the moment between its creation and its content.
  if (!host || host !== hostname()) return Date.now() - touchedMs > SILENT_MS;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return error.code === 'ESRCH';
  }
}

function touch(file) {
  try {
    utimesSync(file, new Date(), new Date());
  } catch {
    // Somebody removed it by hand; the work goes on.
  }
}
