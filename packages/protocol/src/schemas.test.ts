import { describe, expect, it } from 'vitest';
import type { EventBody } from './events.ts';
import { contentBlockSchema, eventSchema } from './schemas.ts';

const result = {
  id: 'c1',
  name: 'greet',
  plugin: 'hello',
  outcome: 'completed' as const,
  isError: false,
  content: [{ type: 'text' as const, text: 'Hello' }],
  text: 'Hello',
  durationMs: 1.5,
};

/** One of each, so that a new kind of event without a schema does not compile. */
const bodies: { [Type in EventBody['type']]: Extract<EventBody, { type: Type }> } = {
  'turn-start': {
    ...{ type: 'turn-start', text: 'greet Bob', turnId: 't1' },
    uiAction: { actionId: 'u1', toolCallId: 'c1', plugin: 'hello', action: 'order' },
  },
  'text-delta': { type: 'text-delta', text: 'Hel' },
  'reasoning-delta': { type: 'reasoning-delta', text: 'hm' },
  'tool-input-delta': { type: 'tool-input-delta', toolCallId: 'c1', name: 'greet', text: '{"na' },
  'ui-delta': { type: 'ui-delta', toolCallId: 'c1', mode: 'genui', libs: [], surface: 'inline', code: '' },
  'ui-update': { type: 'ui-update', toolCallId: 'c1', mode: 'html', libs: [], surface: 'panel', code: '<p>' },
  'ui-action': {
    ...{ type: 'ui-action', actionId: 'u1', toolCallId: 'c1', plugin: 'hello', action: 'order' },
    ...{ data: { count: 2 }, isNote: true },
  },
  'tool-call-start': {
    ...{ type: 'tool-call-start', toolCallId: 'c1', name: 'greet', plugin: 'hello', arguments: '{}' },
    ui: { mode: 'genui', param: 'code', libs: ['echarts'], surface: 'inline' },
  },
  'approval-request': {
    type: 'approval-request',
    approvalId: 'a1',
    toolCallId: 'c1',
    plugin: 'hello',
    name: 'greet',
    arguments: '{}',
    reason: 'it asks',
    expiresAt: 1,
  },
  'approval-end': { type: 'approval-end', approvalId: 'a1', answer: 'once', by: 'ann' },
  'form-request': {
    type: 'form-request',
    formId: 'f1',
    toolCallId: 'c1',
    plugin: 'hello',
    name: 'greet',
    message: 'Who?',
    schema: { type: 'object' },
    expiresAt: 1,
  },
  'form-end': { type: 'form-end', formId: 'f1', action: 'accept', by: 'ann' },
  'tool-output-delta': { type: 'tool-output-delta', toolCallId: 'c1', stream: 'stderr', text: 'x' },
  'tool-progress': { type: 'tool-progress', toolCallId: 'c1', progress: 1, total: 2, message: 'half' },
  'tool-call-end': { type: 'tool-call-end', toolCallId: 'c1', name: 'greet', outcome: 'completed', result },
  usage: { type: 'usage', inputTokens: 1, outputTokens: 2, totalTokens: 3 },
  'turn-end': { type: 'turn-end', text: 'Hello', reason: 'completed' },
  'turn-error': { type: 'turn-error', message: 'no key' },
  'plugin-state': { type: 'plugin-state', plugin: 'hello', state: 'active' },
  warning: { type: 'warning', message: 'careful' },
};

const envelope = { sessionId: 's1', seq: 1, at: 1_700_000_000_000 };

describe('eventSchema', () => {
  it.each(Object.entries(bodies))('takes a %s as it is', (_type, body) => {
    expect(eventSchema.parse({ ...body, ...envelope })).toEqual({ ...body, ...envelope });
  });

  it.each([
    ['an unknown type', { type: 'tea-time', ...envelope }],
    ['no number', { type: 'warning', message: 'x', sessionId: 's1', at: 1 }],
    ['the number 0', { type: 'warning', message: 'x', ...envelope, seq: 0 }],
    ['another stream', { ...bodies['tool-output-delta'], ...envelope, stream: 'stdin' }],
    ['a reason that does not exist', { ...bodies['turn-end'], ...envelope, reason: 'bored' }],
    ['a call without its record', { ...bodies['tool-call-end'], ...envelope, result: { id: 'c1' } }],
  ])('refuses %s', (_title, event) => {
    expect(eventSchema.safeParse(event).success).toBe(false);
  });
});

describe('contentBlockSchema', () => {
  it.each([
    { type: 'text', text: 'x', annotations: { audience: ['user'] } },
    { type: 'image', data: 'AAAA', mimeType: 'image/png' },
    { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' },
    { type: 'resource', resource: { uri: 'file:///a', text: 'x' } },
    { type: 'resource_link', uri: 'file:///a', name: 'a' },
  ])('takes $type, with whatever else travels along', (block) => {
    expect(contentBlockSchema.parse(block)).toEqual(block);
  });

  it.each([{ type: 'text' }, { type: 'image', data: 'AAAA' }, { type: 'resource', resource: {} }, { type: 'video' }])(
    'refuses %j',
    (block) => {
      expect(contentBlockSchema.safeParse(block).success).toBe(false);
    },
  );
});
