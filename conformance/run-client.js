// `npm run conformance:client [-- SCENARIO]`: MCP's conformance suite against the runtime `mcp`, by `client.js`.
// Plain JavaScript for Node >= 20.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pinnedNode } from '../scripts/repository.js';
import { setUp } from '../scripts/set-up.js';
import { here, install, runSuite } from './suite.js';

/** The suite runs all its scenarios at once, each with a client of its own. */
const TIMEOUT_MS = 100_000;

if ((await setUp()) && install()) process.exitCode = await run(process.argv.slice(2));
else process.exitCode = 1;

async function run([scenario]) {
  const home = mkdtempSync(path.join(tmpdir(), 'toolpost-conformance-'));
  const which = scenario
    ? ['--scenario', scenario]
    : ['--suite', 'core', '--expected-failures', path.join(here, 'client-known.yml')];
  // Quoted for the shell that the suite starts it by.
  const command = [pinnedNode, path.join(here, 'client.js')].map((part) => `"${part}"`).join(' ');
  try {
    return await runSuite(['client', '--command', command, '--timeout', String(TIMEOUT_MS), ...which], home);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}
