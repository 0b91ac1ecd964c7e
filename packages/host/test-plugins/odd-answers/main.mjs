// Version 2, as badly as it gets: noise, answers to nobody, numeric ids, two answers, answers after a cancel.
import { createInterface } from 'node:readline';

const send = (...messages) => process.stdout.write(messages.map((message) => `${JSON.stringify(message)}\n`).join(''));
const answers = [];
const noise = (text) => process.stdout.write(text);

noise('=== Welcome ===\n{\n[1]\n42\n{"level":"info"}\n\n');
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (method === 'activate') {
    // A request and the answer in one write, before any call.
    send(
      { id: 17, method: 'settings_get', params: {} },
      { protocolVersion: 2, tools: [{ name: 'odd', description: 'Odd.' }] },
    );
  } else if (method === 'execute_tool') {
    const { kind } = JSON.parse(params.input);
    noise('working ...\n{\n');
    if (kind === 'numeric') send({ id: Number(id), result: 'numeric' });
    else if (kind === 'twice') send({ id, result: 'first' }, { id, result: 'second' }, { id, error: 'third' });
    else if (kind === 'nobody')
      send({ id: 'nobody', result: 'x' }, { id: null, result: 'x' }, { result: 'x' }, { id, result: 'mine' });
    else if (kind === 'empty') send({ id });
    else if (kind === 'unknown-method') send({ id: 'p1', method: 'rm_rf', params: { callId: id } });
    else if (kind === 'inherited') send({ id: 'p1', method: 'settings_get', params: { key: 'constructor' } });
    else if (kind === 'bad-stream') send({ id, output: 5 }, { id, progress: 'much' }, { id, result: 'streamed badly' });
  } else if (method === undefined) {
    answers.push(JSON.parse(line));
    if (id === 'p1') send({ id: '1', result: JSON.stringify(answers) });
  } else if (method === 'deactivate') break;
}
process.exit(0);
