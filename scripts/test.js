// `npm test [-- VITEST ARGS]`: sets up what is missing, then types, lint, the layers and unit tests, and Python's. The
// last line sums up; the exit status is not 0 when anything failed.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pinnedNode, root, say } from './repository.js';
import { setUp } from './set-up.js';

const total = { passed: 0, failed: 0, skipped: 0 };

// A repository that does not build is still tested: what its types, lint and tests say helps to mend it.
if (!(await setUp())) total.failed += 1;
if (existsSync(pinnedNode)) {
  await check('types', ['node_modules/typescript/bin/tsc', '-b']);
  await check('lint', ['node_modules/@biomejs/biome/bin/biome', 'check', '.']);
  await runVitest(process.argv.slice(2));
}
await runPythonTests();
console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
process.exitCode = total.failed === 0 ? 0 : 1;

async function check(title, [script, ...args]) {
  say(`toolpost: ${title}`);
  const { status } = await run(pinnedNode, [path.join(root, script), ...args]);
  if (status === 0) return;
  say(`toolpost: ${title} failed`);
  total.failed += 1;
}

async function runVitest(args) {
  say('toolpost: tests');
  const dir = mkdtempSync(path.join(tmpdir(), 'toolpost-test-'));
  const report = path.join(dir, 'report.json');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const vitest = path.join(root, 'node_modules/vitest/vitest.mjs');
  const { status } = await run(pinnedNode, [vitest, 'run', ...reporters, ...args]);
  const counts = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : {};
  rmSync(dir, { recursive: true, force: true });
  const failed = counts.numFailedTests ?? 0;
  total.passed += counts.numPassedTests ?? 0;
  total.skipped += (counts.numPendingTests ?? 0) + (counts.numTodoTests ?? 0);
  // A file that cannot be imported or an error outside of any test has no failed test to be counted.
  total.failed += status !== 0 && failed === 0 ? 1 : failed;
}

async function runPythonTests() {
  if (!existsSync(path.join(root, 'python/tests'))) return;
  say('toolpost: Python tests');
  const cwd = path.join(root, 'python');
  const { status, text } = await run('python3', ['-m', 'unittest', 'discover', '-s', 'tests'], { cwd });
  if (status === undefined) {
    say('toolpost: skipped, there is no python3 on this machine');
    total.skipped += 1;
    return;
  }
  const count = (name) => Number(new RegExp(`\\b${name}=(\\d+)`).exec(text)?.[1] ?? 0);
  const ran = Number(/^Ran (\d+) tests?/m.exec(text)?.[1] ?? 0);
  const failed = count('failures') + count('errors') + count('unexpected successes');
  const skipped = count('skipped');
  total.passed += Math.max(0, ran - failed - skipped);
  total.failed += status !== 0 && failed === 0 ? 1 : failed;
  total.skipped += skipped;
}

/** Shows what a program writes while it runs. `status` is undefined when the program does not exist. */
function run(program, args, { cwd = root } = {}) {
  const PATH = `${path.dirname(pinnedNode)}${path.delimiter}${process.env.PATH ?? ''}`;
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, env: { ...process.env, PATH }, stdio: ['ignore', 'inherit', 'pipe'] });
    let text = '';
    child.stderr.on('data', (chunk) => {
      text += chunk;
      process.stderr.write(chunk);
    });
    child.on('error', (error) => (error.code === 'ENOENT' ? resolve({ status: undefined, text }) : reject(error)));
    child.on('close', (status) => resolve({ status: status ?? 1, text }));
  });
}
