import { describe, expect, test } from 'vitest';
import { readTenantTokens } from '../settings/tenant-tokens.ts';
import { createAuthenticate } from './principal.ts';

const OWN = 'the-token-of-the-operator';
const tenants = {
  acme: { tokens: ['env:ACME', 'a-written-token-of-acme'], users: { ann: { tokens: ['env:ANN'] } } },
  empty: {},
};
const environment = { ACME: 'the-token-of-all-of-acme', ANN: ' the-token-of-ann-at-acme\n' };

describe('a token', () => {
  const authenticate = createAuthenticate(OWN, { tenants }, environment);

  test.each([
    [`Bearer ${OWN}`, { tenant: '', user: '', isOperator: true }],
    ['bearer   the-token-of-all-of-acme', { tenant: 'acme', user: '', isOperator: false }],
    ['Bearer a-written-token-of-acme', { tenant: 'acme', user: '', isOperator: false }],
    ['Bearer the-token-of-ann-at-acme', { tenant: 'acme', user: 'ann', isOperator: false }],
    ['Bearer env:ACME', undefined],
    ['Bearer ', undefined],
    ['Bearer undefined', undefined],
    [`Bearer ${OWN} x`, undefined],
    [OWN, undefined],
    [undefined, undefined],
  ])('in %j is that of %j', (authorization, principal) => {
    expect(authenticate(authorization)).toEqual(principal);
  });

  test('that two have is refused at the start, without being shown', () => {
    const both = { one: { tokens: [OWN] } };
    expect(() => createAuthenticate(OWN, { tenants: both }, {})).toThrow(
      /^the server itself and tenants\.one have the same token/,
    );
    const same = {
      one: { users: { a: { tokens: ['the-same-token-twice'] }, b: { tokens: ['the-same-token-twice'] } } },
    };
    expect(() => createAuthenticate(OWN, { tenants: same }, {})).toThrow(
      /tenants\.one\.users\.a and tenants\.one\.users\.b/,
    );
  });
});

test('what cannot be a token is named by its place, never quoted', () => {
  const config = {
    acme: { tokens: ['env:GONE', 'short', 'with a blank in it, long'], users: { ann: { tokens: ['env:EMPTY'] } } },
  };
  const { tokens, warnings, variables } = readTenantTokens(config, { EMPTY: '' });
  expect(tokens).toEqual([]);
  expect(variables).toEqual(['GONE', 'EMPTY']);
  expect(warnings).toEqual([
    'tenants.acme.tokens[0]: the variable GONE is not set: nobody comes in by it',
    'tenants.acme.tokens[1]: a token has at least 16 characters: nobody comes in by it',
    'tenants.acme.tokens[2]: a token holds no blanks: nobody comes in by it',
    'tenants.acme.users.ann.tokens[0]: the variable EMPTY is not set: nobody comes in by it',
  ]);
});
