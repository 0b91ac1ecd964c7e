// Declares a tool that is named after its process, and exits when it is called.
import { createInterface } from 'node:readline';

for await (const line of createInterface({ input: process.stdin })) {
  const { method } = JSON.parse(line);
  const tool = { name: `tool_${process.pid}`, description: 'New at each start.' };
  if (method === 'activate') process.stdout.write(`${JSON.stringify({ tools: [tool] })}\n`);
  else process.exit(method === 'deactivate' ? 0 : 9);
}
