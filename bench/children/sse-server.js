// A bare server of server-sent events: /?count&paceMs&bytes sends so many of them, as children/ticker.js makes its chunks.
import { createServer } from 'node:http';
import { tick } from './tick.js';

const server = createServer(async (request, response) => {
  const query = Object.fromEntries(new URL(request.url ?? '', 'http://localhost').searchParams);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.socket?.setNoDelay(true);
  let seq = 0;
  await tick(query, '-', (text) => {
    seq += 1;
    response.write(`id: ${seq}\ndata: ${JSON.stringify({ type: 'tool-output-delta', text })}\n\n`);
  });
  response.end(`data: ${JSON.stringify({ type: 'turn-end' })}\n\n`);
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object') process.stdout.write(`${address?.port}\n`);
});
