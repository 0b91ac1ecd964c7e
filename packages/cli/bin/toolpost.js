#!/usr/bin/env node
// The launcher. Plain JavaScript in old syntax (no top-level await, no `??`): it has to run on a Node that cannot run
// the rest, to start itself again under a newer one or to say which one is needed.
import { createRequire } from 'node:module';

// Not by `import`, which loads all the streams of `node:fs` with it: a tenth of a start.
const require = createRequire(import.meta.url);
const { existsSync, mkdirSync, readFileSync, realpathSync } = require('node:fs');
const path = require('node:path');
const { fileURLToPath, pathToFileURL } = require('node:url');

const here = path.dirname(realpathSync(fileURLToPath(import.meta.url)));
const main = path.join(here, '..', 'dist', 'main.js');

/** What a child that was asked to end has to answer within, or it is ended: it hears nothing any more. */
const HEARD = 'heard';
const DEAF_MS = 5000;

/** Marks a child of the launcher. Removed before anything else runs, so that no plugin inherits it. */
const MARK = 'TOOLPOST_LAUNCHED';

const wasLaunched = process.env[MARK] === String(process.ppid);
delete process.env[MARK];

if (!isSupported(process.versions.node)) restartUnderPinnedNode();
else run();

/** 22.18 is the first Node of its line that strips types; 23 had it from 23.6 on. */
function isSupported(version) {
  const [major, minor] = version.split('.').map(Number);
  return major > 23 || (major === 23 && minor >= 6) || (major === 22 && minor >= 18);
}

function run() {
  if (wasLaunched && process.channel) endWithLauncher();
  enableCompileCache();
  import(pathToFileURL(main).href).catch((error) => {
    if (existsSync(main)) throw error;
    const root = path.join(here, '..', '..', '..');
    fail(`it is not built: run "npm start" or "npm run build" in ${root}`);
  });
}

/** Only the launcher's death closes the channel while we run; the channel itself must not keep us alive. */
function endWithLauncher() {
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  takeInterrupts();
  process.channel.unref();
}

/**
 * A terminal's ctrl-C goes to the launcher and to us, a `kill -INT` to the launcher alone; it cannot tell them apart and
 * says by message that it got one. It counts when none came to us directly: a second one would mean "stop at once".
 */
function takeInterrupts() {
  let lastMs = 0;
  const record = () => {
    lastMs = Date.now();
  };
  // Listens only while the command does, so that without its listeners the signal still ends the process.
  process.on('newListener', (name, listener) => {
    if (name === 'SIGINT' && listener !== record && !process.listeners(name).includes(record))
      process.prependListener(name, record);
  });
  process.on('removeListener', (name) => {
    if (name === 'SIGINT' && process.listenerCount(name) === 1) process.removeListener(name, record);
  });
  process.on('message', (message) => {
    if (message === HEARD) process.send(HEARD, () => {});
    if (message !== 'SIGINT') return;
    setTimeout(() => {
      if (Date.now() - lastMs > 200) process.kill(process.pid, 'SIGINT');
    }, 50);
  });
}

/** Keeps V8's compiled code in the home directory: a third of the start time. Without it everything works. */
function enableCompileCache() {
  if (process.env.NODE_DISABLE_COMPILE_CACHE) return;
  try {
    const dir = path.join(process.env.TOOLPOST_HOME || dataDir(), 'cache', 'compile');
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    require('node:module').enableCompileCache(dir);
  } catch {
    // A home directory that cannot be written is reported by the command that needs it.
  }
}

/** The same directory as env-paths gives, without loading it. */
function dataDir() {
  const { homedir } = require('node:os');
  const env = process.env;
  if (process.platform === 'darwin') return path.join(homedir(), 'Library', 'Application Support', 'toolpost');
  if (process.platform === 'win32')
    return path.join(env.LOCALAPPDATA || path.join(homedir(), 'AppData', 'Local'), 'toolpost', 'Data');
  return path.join(env.XDG_DATA_HOME || path.join(homedir(), '.local', 'share'), 'toolpost');
}

function restartUnderPinnedNode() {
  const node = wasLaunched ? undefined : findPinnedNode(here);
  if (!node) failForOldNode();
  else stayBeside(node);
}

/** The Node that the npm package `node` put beside us: the repository's own, or the nearest project's. */
function findPinnedNode(from) {
  const dir = path.join(from, 'node_modules', 'node');
  const node = path.join(dir, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  if (existsSync(node) && isSupported(packageVersion(dir))) return node;
  return path.dirname(from) === from ? undefined : findPinnedNode(path.dirname(from));
}

function packageVersion(dir) {
  try {
    return String(JSON.parse(readFileSync(path.join(dir, 'package.json'), 'utf8')).version);
  } catch {
    return '0.0';
  }
}

/** Runs the command in a child, passes signals on, and ends as the child ended: same status, or the same signal. */
function stayBeside(node) {
  const env = Object.assign({}, process.env, { [MARK]: String(process.pid) });
  const args = [path.join(here, 'toolpost.js')].concat(process.argv.slice(2));
  const child = require('node:child_process').spawn(node, args, {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env,
  });
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const signal of signals)
    process.on(signal, () => {
      killIfDeaf(child);
      if (signal !== 'SIGINT' || !isForegroundOfTerminal()) child.kill(signal);
      else if (child.connected) child.send(signal, () => {});
    });
  child.on('error', (error) => failForOldNode(`${node} does not start: ${error.message}`));
  child.on('exit', (status, signal) => {
    process.exitCode = status === null ? 1 : status;
    if (!signal) return;
    for (const name of signals) process.removeAllListeners(name);
    process.kill(process.pid, signal);
  });
}

/** A plugin that loops in the child's own thread keeps it from hearing any signal. */
function killIfDeaf(child) {
  if (!child.connected) return;
  const timer = setTimeout(() => child.kill('SIGKILL'), DEAF_MS);
  timer.unref();
  child.once('message', () => clearTimeout(timer));
  child.send(HEARD, () => {});
}

/** Whether a terminal's ctrl-C reaches the child by itself: it goes to the whole foreground process group. */
function isForegroundOfTerminal() {
  if (process.platform !== 'linux') return Boolean(process.stdin.isTTY);
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8');
    // After the name in parentheses: state, ppid, pgrp, session, tty_nr, tpgid.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[4] !== '0' && fields[2] === fields[5];
  } catch {
    return Boolean(process.stdin.isTTY);
  }
}

function failForOldNode(reason) {
  const why = reason ? `${reason}; this` : 'this';
  fail(
    `${why} is Node ${process.versions.node}, and it needs Node >= 22.18: install it from https://nodejs.org, or run "npm install node@24" here`,
  );
}

function fail(message) {
  process.stderr.write(`toolpost: ${message}\n`);
  process.exitCode = 2;
}
