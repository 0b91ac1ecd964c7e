// `npm run conformance:server [-- SCENARIO]`: MCP's conformance suite against `toolpost mcp --http`, under the pinned Node.
// Plain JavaScript for Node >= 20. The suite sends no token, so a proxy on this machine adds it and changes nothing else.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, request as requestOver } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { pinnedNode, root, say } from '../scripts/repository.js';
import { setUp } from '../scripts/set-up.js';
import { here, install, runSuite } from './suite.js';

const TOKEN = 'conformance-token';
/** The active suite is what one revision has and what later came to it; the required sets are frozen. */
const RUNS = [
  ['--suite', 'active'],
  ['--requirements', '2025-11-25'],
  ['--requirements', '2026-07-28'],
];

if ((await setUp()) && install()) process.exitCode = await run(process.argv.slice(2));
else process.exitCode = 1;

async function run(scenarios) {
  const home = mkdtempSync(path.join(tmpdir(), 'toolpost-conformance-'));
  const server = startToolpost(home);
  try {
    const port = await portOf(server);
    const proxy = createServer((request, response) => forward(request, response, port));
    await new Promise((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${proxy.address().port}/mcp`;
    const runs = scenarios.length > 0 ? scenarios.map((name) => ['--scenario', name]) : RUNS;
    const failed = [];
    for (const args of runs) if ((await runSuite(['server', '--url', url, ...args], home)) !== 0) failed.push(args);
    proxy.closeAllConnections();
    proxy.close();
    for (const args of failed) say(`conformance: failed: ${args.join(' ')}`);
    return failed.length === 0 ? 0 : 1;
  } finally {
    server.kill('SIGTERM');
    await once(server, 'exit');
    rmSync(home, { recursive: true, force: true });
  }
}

function startToolpost(home) {
  const args = ['mcp', '--http', '0', '--no-bundled', '--yes', '--root', home, '--plugins', path.join(here, 'plugin')];
  return spawn(pinnedNode, [path.join(root, 'packages/cli/bin/toolpost.js'), ...args], {
    env: { ...process.env, TOOLPOST_HOME: home, TOOLPOST_TOKEN: TOKEN },
    stdio: ['ignore', 'inherit', 'pipe'],
  });
}

async function portOf({ stderr }) {
  for await (const line of createInterface({ input: stderr })) {
    process.stderr.write(`${line}\n`);
    const [, port] = /MCP at http:\/\/127\.0\.0\.1:(\d+)/.exec(line) ?? [];
    if (port === undefined) continue;
    stderr.on('data', (chunk) => process.stderr.write(chunk)).resume();
    return Number(port);
  }
  throw new Error('toolpost mcp ended before it listened');
}

/** The proxy's own name becomes the server's; every other `Host` and `Origin` is passed on, for the server to refuse. */
function forward(request, response, port) {
  const own = `:${request.socket.localPort}`;
  const rename = (value) => (value?.endsWith(own) ? `${value.slice(0, -own.length)}:${port}` : value);
  const headers = { ...request.headers, authorization: `Bearer ${TOKEN}`, host: rename(request.headers.host) };
  if (headers.origin) headers.origin = rename(headers.origin);
  const { method, url } = request;
  const onward = requestOver({ host: '127.0.0.1', port, path: url, method, headers }, (answer) => {
    response.writeHead(answer.statusCode, answer.headers);
    response.flushHeaders();
    answer.pipe(response);
  });
  onward.on('error', () => response.destroy());
  response.on('close', () => onward.destroy());
  request.pipe(onward);
}
