import { expect, test } from 'vitest';
import { readMcpServers } from './read-mcp-servers.ts';

const environment = { API_KEY: 'sk-very-secret' };
const readWeb = (url: string) => readMcpServers({ servers: { web: { url } }, environment }, undefined)[0];
const problemOf = (url: string) => {
  const reading = readWeb(url);
  return reading && 'problem' in reading ? reading.problem.error.message : undefined;
};

test.each([`htps://host/?key=\${API_KEY}`, `\${API_KEY}`])(
  'an address that is none is quoted as written: %s',
  (url) => {
    expect(problemOf(url)).toBe(`mcpServers.web: url: ${JSON.stringify(url)} is no http or https address`);
  },
);

test.each([`https://\${API_KEY}@host/`, `https://me:\${API_KEY}@host/`])(
  'an address never holds a sign-in: %s',
  (url) => {
    expect(problemOf(url)).toMatch(/^mcpServers\.web: url: it holds .*"Authorization" instead$/);
  },
);

test('an address has its variables filled in', () => {
  const reading = readWeb(`https://host/?key=\${API_KEY}`);
  expect(reading && 'plugin' in reading && reading.plugin.server?.url).toBe('https://host/?key=sk-very-secret');
});
