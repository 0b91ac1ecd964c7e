// Version 2. `hold` is never answered and ignores cancel; the process ignores SIGTERM and the end of its input.
import { createInterface } from 'node:readline';

process.on('SIGTERM', () => {});
setInterval(() => {}, 1000);
const send = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);
const tools = ['hold', 'pid'].map((name) => ({ name, description: `The tool ${name}.` }));

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (method === 'activate') send({ protocolVersion: 2, tools });
  else if (method === 'execute_tool' && params.toolName === 'pid') send({ id, result: String(process.pid) });
}
