// `npm run stress [-- WORD ...]`: the tests that do much at random, as often as the project holds itself to, one after the
// other, by stress-plan.json. That takes the better part of an hour. With words, only those whose variable or file has one of them in it.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pinnedNode, root, say } from './repository.js';
import { setUp } from './set-up.js';

const plan = JSON.parse(readFileSync(path.join(root, 'scripts/stress-plan.json'), 'utf8'));
const words = process.argv.slice(2).map((word) => word.toLowerCase());
const chosen = plan.filter(({ variable, files }) => {
  const names = [variable, ...files].join(' ').toLowerCase();
  return words.length === 0 || words.some((word) => names.includes(word));
});
if (chosen.length === 0) say(`toolpost: none of these is there: ${words.join(', ')}`);
const isReady = await setUp();
const failed = [];
for (const step of isReady ? chosen : []) {
  const startedAt = performance.now();
  say(`toolpost: ${step.count} ${step.what} (${step.variable}=${step.count})`);
  const status = await runStep(step);
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  say(`toolpost: ${status === 0 ? 'passed' : 'FAILED'} after ${seconds} s`);
  if (status !== 0) failed.push(step.variable);
}
say(
  `toolpost: ${chosen.length - failed.length} of ${chosen.length} passed${failed.length > 0 ? `, not ${failed.join(', ')}` : ''}`,
);
process.exitCode = isReady && chosen.length > 0 && failed.length === 0 ? 0 : 1;

function runStep({ variable, count, files }) {
  const vitest = path.join(root, 'node_modules/vitest/vitest.mjs');
  const env = { ...process.env, [variable]: String(count) };
  const child = spawn(pinnedNode, [vitest, 'run', ...files], { cwd: root, env, stdio: 'inherit' });
  return new Promise((resolve) => {
    child.on('error', (error) => {
      say(`toolpost: the tests could not be started: ${error.message}`);
      resolve(1);
    });
    child.on('close', (code) => resolve(code ?? 1));
  });
}
