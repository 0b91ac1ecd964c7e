import { expect, it } from 'vitest';
import { createTestCallContext } from '../test-contexts.ts';
import { encodeCall } from './encode-call.ts';

const session = { id: 's "1"', channel: 'cli', chatId: 'c', tenant: 't', user: 'ann' };

it('writes a call with its session, roots and ids, every text quoted', () => {
  const context = createTestCallContext({ text: 'a "b"\n' }, { session, roots: ['/a b', '/c'] });
  expect(JSON.parse(encodeCall('7', 'a"b', context))).toEqual({
    id: '7',
    method: 'execute_tool',
    params: {
      toolName: 'a"b',
      input: '{"text":"a \\"b\\"\\n"}',
      context: {
        sessionId: 's "1"',
        channel: 'cli',
        chatId: 'c',
        tenant: 't',
        user: 'ann',
        roots: ['/a b', '/c'],
        callId: '7',
        toolCallId: 'call-1',
      },
    },
  });
});

it('writes the roots of this call, also when the session had others before', () => {
  const contexts = [['/a'], ['/b']].map((roots) => createTestCallContext({}, { session, roots }));
  const lines = contexts.map((context) => JSON.parse(encodeCall('1', 'x', context)));
  expect(lines.map(({ params }) => params.context.roots)).toEqual([['/a'], ['/b']]);
});
