import { describe, expect, it } from 'vitest';
import { readActivateAnswer } from './activate-answer.ts';
import { NO_CONTENT } from './plugin-content.ts';

describe('readActivateAnswer', () => {
  it("reads the seed's own example", () => {
    const answer = readActivateAnswer({
      tools: [
        {
          name: 'python_greet',
          description: 'Greet someone by name.',
          parameters: [{ name: 'name', type: 'string', description: 'The person to greet', required: true }],
          inputSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
        },
      ],
    });
    expect(answer.protocolVersion).toBe(1);
    expect(answer.tools[0]?.inputSchema).toEqual({
      type: 'object',
      properties: { name: { type: 'string' } },
      required: ['name'],
    });
  });

  it.each(['channel_provider', 'channelProvider'])('reads %s, hooks and enrichers', (key) => {
    expect(
      readActivateAnswer({
        protocolVersion: 2,
        hooks: [{ event: 'PreToolUse', matcher: 'v2_*', failClosed: true }, { event: 'PostToolUse' }],
        enrichers: [{ name: 'clock' }, { name: 'weather', priority: 10 }],
        handlesUiActions: true,
        [key]: { name: 'tickets', config_schema: [{ key: 'token' }] },
      }),
    ).toEqual({
      protocolVersion: 2,
      tools: [],
      refusedTools: [],
      hooks: [{ event: 'PreToolUse', matcher: 'v2_*', failClosed: true }, { event: 'PostToolUse' }],
      enrichers: [{ name: 'clock' }, { name: 'weather', priority: 10 }],
      content: NO_CONTENT,
      subscriptions: [],
      handlesUiActions: true,
      channelProvider: { name: 'tickets', configSchema: [{ key: 'token' }] },
    });
  });

  it('leaves out a tool that is declared wrongly, with the reason, and keeps the others', () => {
    const { tools, refusedTools } = readActivateAnswer({
      tools: [{ name: 'good', description: '' }, { name: 'bad', parameters: 5 }, 7],
    });
    expect(tools.map(({ name }) => name)).toEqual(['good']);
    expect(refusedTools).toEqual([expect.stringContaining('tool "bad"'), expect.any(String)]);
  });

  it('carries a refusal', () => {
    expect(readActivateAnswer({ error: 'no licence' }).error).toBe('no licence');
  });

  it.each([
    [{ tools: {} }, 'tools must be a list, got {}'],
    [{ protocolVersion: 3 }, 'protocolVersion must be 1 or 2, got 3'],
    [{ hooks: [{ event: 'PreToolUse', matcher: 5 }] }, 'hooks[0].matcher must be text, got 5'],
    [{ hooks: [{}] }, 'hooks[0].event must be non-empty text, got nothing'],
    [{ channel_provider: { name: '' } }, 'channelProvider.name must be non-empty text, got ""'],
  ])('refuses %j', (message, text) => {
    expect(() => readActivateAnswer(message)).toThrow(text);
  });
});
