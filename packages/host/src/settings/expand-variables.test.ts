import { expect, test } from 'vitest';
import { expandVariables } from './expand-variables.ts';

const variables = { KEY: 'abc', EMPTY: '' };

test.each([
  [`\${KEY}`, 'abc'],
  [`Bearer \${KEY}-\${KEY}`, 'Bearer abc-abc'],
  [`\${NONE:-other}`, 'other'],
  [`\${NONE:-}`, ''],
  [`\${NONE:-http://a:1/}`, 'http://a:1/'],
  [`\${EMPTY:-other}`, 'other'],
  [`\${EMPTY}`, ''],
  [`$KEY {KEY} $ \${`, `$KEY {KEY} $ \${`],
])('%s is %s', (text, expanded) => {
  expect(expandVariables(text, variables)).toBe(expanded);
});

test('a variable that is not set is named', () => {
  expect(() => expandVariables(`\${NONE}`, variables)).toThrow(
    `the variable NONE is not set; \${NONE:-...} gives it a default`,
  );
});

test('nothing that every object inherits is a variable', () => {
  expect(() => expandVariables(`\${constructor}`, variables)).toThrow('the variable constructor is not set');
});
