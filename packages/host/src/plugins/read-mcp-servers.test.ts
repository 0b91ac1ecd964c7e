import { describe, expect, test } from 'vitest';
import type { OAuthSettings } from '../runtimes/runtime.ts';
import { readMcpServers } from './read-mcp-servers.ts';
import { serverSecrets } from './server-secrets.ts';

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

describe('the client of a sign-in', () => {
  const url = 'https://host/mcp';
  const readOAuth = (oauth: OAuthSettings) =>
    readMcpServers({ servers: { web: { url, oauth } }, environment: { ...environment, EMPTY: '' } }, undefined)[0];

  test('has its variables filled in, and its secret masked, also as it is sent', () => {
    const reading = readOAuth({ clientId: 'me', clientSecret: `\${API_KEY}`, scope: 'mail' });
    const server = reading && 'plugin' in reading ? reading.plugin.server : undefined;
    expect(server?.oauth).toEqual({ clientId: 'me', clientSecret: 'sk-very-secret', scope: 'mail' });
    expect(server && serverSecrets(server)).toEqual(['sk-very-secret', btoa('me:sk-very-secret')]);
  });

  test.each<[OAuthSettings, string]>([
    [{ clientId: 'me', clientSecret: `\${EMPTY}` }, `oauth.clientSecret: "\${EMPTY}" is empty`],
    [{ clientId: `\${NOT_SET_17}` }, 'the variable NOT_SET_17 is not set'],
    [
      { clientMetadataUrl: 'http://host/me.json' },
      'oauth.clientMetadataUrl: "http://host/me.json" is no https address',
    ],
    [{ clientMetadataUrl: 'https://host' }, 'oauth.clientMetadataUrl: "https://host" is no https address with a path'],
    [{ clientMetadataUrl: 'https://me@host/a' }, 'oauth.clientMetadataUrl: '],
    [{ clientMetadataUrl: 'https://host/a#b' }, 'oauth.clientMetadataUrl: '],
  ])('that no authorization server would take breaks its server alone: %j', (oauth, message) => {
    const reading = readOAuth(oauth);
    expect(reading && 'problem' in reading && reading.problem.error.message).toContain(`mcpServers.web: ${message}`);
  });
});
