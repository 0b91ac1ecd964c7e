// Answers with a line of `bytes` bytes. `hidden` puts the id behind the text, `output` streams it, `silent` answers
// nothing, `request` asks the host with it and answers with what comes back. The argument 1 makes it version 1.
import { createInterface } from 'node:readline';

const isVersionOne = process.argv[2] === '1';
const send = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);

for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  const { id, method, params } = message;
  const tool = { name: 'long_line', description: 'A long line.' };
  if (method === 'activate') send(isVersionOne ? { tools: [tool] } : { protocolVersion: 2, tools: [tool] });
  else if (method === 'execute_tool') {
    const { bytes = 1, hidden = false, silent = false, output = false, request = false } = JSON.parse(params.input);
    const result = 'x'.repeat(bytes);
    if (output) send({ id, output: { stream: 'stdout', text: result } });
    if (request) send({ id: '1', method: 'storage_set', params: { callId: id, key: 'k', value: result } });
    if (silent || request) continue;
    if (isVersionOne) send({ result });
    else if (output) send({ id, result: 'done' });
    else send(hidden ? { result, id } : { id, result });
  } else if (method === undefined) send({ id: '1', result: message.error });
  else if (method === 'deactivate') break;
}
process.exit(0);
