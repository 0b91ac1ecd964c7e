import { expect, test } from 'vitest';
import { createTheme } from './draw/theme.ts';
import { greetingText } from './greeting.ts';

function greetingOf(model: string, address?: string): string {
  const page = { theme: createTheme(1), width: 79 };
  return greetingText({ model, roots: ['/r'] }, { toolCount: 1, address }, page);
}

test('whoever talks to the demo is told how to get a real model, where the session is', () => {
  expect(greetingOf('demo')).toContain('  toolpost chat --model openai:NAME');
  const ofServer = greetingOf('demo', 'http://127.0.0.1:7417');
  expect(ofServer).toContain('in /r at http://127.0.0.1:7417');
  expect(ofServer).toContain('  /model openai:NAME');
  expect(ofServer).not.toContain('toolpost chat');
  expect(greetingOf('openai:x')).not.toContain('NAME');
});
