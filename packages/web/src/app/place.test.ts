import { expect, test } from 'vitest';
import { hashOf, readPlace } from './place.ts';

test('what an address names comes back, whatever the name is', () => {
  for (const name of ['a', 'a/b', '%2e', 'ü ö', '...', 'a..', '?x#y']) {
    expect(readPlace(hashOf({ page: 'session', id: name }))).toEqual({ page: 'session', id: name });
    expect(readPlace(hashOf({ page: 'tools', name }))).toEqual({ page: 'tools', name });
  }
});

test.each(['.', '..', '%2e%2e', '%2E', '.%2e'])('%j is no name: it would lead the request elsewhere', (dots) => {
  expect(readPlace(`#/session/${dots}`)).toEqual({ page: 'home' });
  expect(readPlace(`#/tools/${dots}`)).toEqual({ page: 'tools', name: undefined });
});
