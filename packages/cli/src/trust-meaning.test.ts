import { expect, test } from 'vitest';
import { meaningOfTrust } from './trust-meaning.ts';

const FOLLOWS = 'The model follows AGENTS.md.';
const RUNS = 'Plugins and servers among them run with your rights.';

test.each([
  [['AGENTS.md'], FOLLOWS],
  [['.toolpost/tools/x.ts'], RUNS],
  [['.mcp.json', 'AGENTS.md'], `${FOLLOWS} ${RUNS}`],
])('what it means to trust %j', (names, meaning) => {
  expect(meaningOfTrust(names)).toBe(meaning);
});
