import { describe, expect, onTestFinished, test } from 'vitest';
import { createCommandWorld } from './fixtures/run-toolpost.ts';
import { startScriptedProvider } from './fixtures/scripted-provider.ts';
import { usageLine } from './usage-line.ts';

const usage = (inputTokens: number, outputTokens: number) => ({
  inputTokens,
  outputTokens,
  totalTokens: inputTokens + outputTokens,
});

test('tells the tokens of the turn, and those of the session where there was more', () => {
  expect(usageLine(usage(12_345, 67), usage(12_345, 67))).toBe('tokens: 12,345 in, 67 out');
  expect(usageLine(usage(10, 2), usage(1_000_010, 52))).toBe('tokens: 10 in, 2 out; session: 1,000,010 in, 52 out');
});

test('says nothing about a turn that the provider did not count', () => {
  expect(usageLine(usage(0, 0), usage(10, 2))).toBe('');
});

describe('toolpost', () => {
  const usage = { prompt_tokens: 1200, completion_tokens: 34 };

  test('run tells the tokens on stderr, and nothing but events with --json', async () => {
    const world = createCommandWorld();
    const provider = await startScriptedProvider(['One.', 'Two.'], { usage });
    onTestFinished(() => void provider.close());
    const plain = await world.run(['run', 'Say one.', '--model', provider.model]);
    expect(plain).toMatchObject({ status: 0, stdout: 'One.\n', stderr: 'tokens: 1,200 in, 34 out\n' });
    const json = await world.run(['run', 'Say two.', '--json', '--model', provider.model]);
    expect(json).toMatchObject({ status: 0, stderr: '' });
    expect(json.stdout).toContain('"type":"usage","inputTokens":1200,"outputTokens":34,"totalTokens":1234');
  });

  test('chat tells those of each turn and of the session, and of a model that counts none nothing', async () => {
    const world = createCommandWorld();
    const provider = await startScriptedProvider(['One.', 'Two.'], { usage });
    onTestFinished(() => void provider.close());
    const input = 'Say one.\nSay two.\n';
    const { stdout, stderr } = await world.run(['chat', '--model', provider.model], { input });
    expect(stdout).toBe('One.\nTwo.\n');
    expect(stderr).toBe('tokens: 1,200 in, 34 out\ntokens: 1,200 in, 34 out; session: 2,400 in, 68 out\n');
    expect((await world.run(['chat'], { input: 'Hello.\n' })).stderr).not.toContain('tokens');
  });
});
