// Answers with a line of `bytes` bytes; `hidden` puts the id behind the text. PROTOCOL_VERSION=1 is version 1.
import { createInterface } from 'node:readline';

const isVersionOne = process.argv[2] === '1';
const send = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  const tool = { name: 'long_line', description: 'A long line.' };
  if (method === 'activate') send(isVersionOne ? { tools: [tool] } : { protocolVersion: 2, tools: [tool] });
  else if (method === 'execute_tool') {
    const { bytes = 1, hidden = false, silent = false, output = false } = JSON.parse(params.input);
    const result = 'x'.repeat(bytes);
    if (output) send({ id, output: { stream: 'stdout', text: result } });
    if (silent) continue;
    if (isVersionOne) send({ result });
    else if (output) send({ id, result: 'done' });
    else send(hidden ? { result, id } : { id, result });
  } else if (method === 'deactivate') break;
}
process.exit(0);
