import { expect, test } from 'vitest';
import { systemPrompt } from './system-prompt.ts';

test('names the roots, then what each AGENTS.md asks for, then what plugins add', () => {
  const prompt = systemPrompt({
    roots: ['/a', '/b'],
    instructions: [{ root: '/a', text: 'Use tabs.\n' }],
    additions: '\n## clock (clock)\nNoon.\n',
  });
  expect(prompt).toMatch(
    /directories are: \/a, \/b\.[\s\S]*\n\nThe AGENTS.md of \/a says:\nUse tabs\.\n\n## clock \(clock\)\nNoon\.\n$/,
  );
});

test('cuts an AGENTS.md that would leave the model no room, and says where the whole is', () => {
  const prompt = systemPrompt({ roots: ['/a'], instructions: [{ root: '/a', text: 'x'.repeat(100_000) }] });
  expect(prompt.length).toBeLessThan(42_000);
  expect(prompt).toMatch(/\[\.\.\. 60000 characters left out; the whole text is in \/a\/AGENTS\.md \.\.\.\]$/);
});
