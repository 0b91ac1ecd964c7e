import { buffer } from 'node:stream/consumers';
import { afterAll, afterEach, expect, test } from 'vitest';
import { endGuests, endThreads, runGuest } from '../../../network/fixtures/run-guest.ts';
import { closeServers, serveHttp } from '../../../network/fixtures/servers.ts';

afterAll(endThreads);
afterEach(async () => {
  await endGuests();
  closeServers();
});

test('fields take what is a header of the guest, and nothing that ends a line or belongs to the connection', async () => {
  const { value } = await runGuest('fields', null);
  const invalid = { error: { tag: 'invalid-syntax' } };
  const forbidden = { error: { tag: 'forbidden' } };
  expect(value).toMatchObject({
    plain: undefined,
    host: forbidden,
    connection: forbidden,
    encoding: forbidden,
    newline: invalid,
    name: invalid,
    empty: invalid,
    entries: [
      ['X-One', 'a'],
      ['x-one', 'b'],
    ],
  });
});

test('fields are immutable once a request has them; a clone is not, and is a copy', async () => {
  const { value } = await runGuest('fields', null);
  expect(value).toMatchObject({ locked: { error: { tag: 'immutable' } }, copied: [['x-one', 'c']] });
});

test('a guest cannot fill the host with fields, nor with requests, nor with bodies that it never sends', async () => {
  const { value } = await runGuest('fields', null);
  expect(value).toMatchObject({ flood: { trap: expect.stringMatching(/4194304 bytes of HTTP fields/) } });
  expect((await runGuest('flood-requests', null)).value).toEqual({
    bodies: { error: { text: expect.stringMatching(/handed over before more than 1048576 bytes/) } },
    requests: { trap: expect.stringMatching(/4194304 bytes of HTTP fields/) },
  });
});

test('setters take what HTTP takes', async () => {
  const taken = 'taken';
  const refused = { error: undefined };
  const cases: [setter: string, value: unknown, outcome: unknown][] = [
    ['setPathWithQuery', '/a/b?c=%20', taken],
    ['setPathWithQuery', '?a', taken],
    ['setPathWithQuery', '*', taken],
    ['setPathWithQuery', undefined, taken],
    ['setPathWithQuery', 'http://other.example/', refused],
    ['setPathWithQuery', 'other.example/', refused],
    ['setPathWithQuery', '/a b', refused],
    ['setPathWithQuery', '/a\r\nHost: evil.example', refused],
    ['setPathWithQuery', '/é', refused],
    ['setPathWithQuery', '/a#b', refused],
    ['setAuthority', 'a.example', taken],
    ['setAuthority', 'a.example:8080', taken],
    ['setAuthority', '[::1]:80', taken],
    ['setAuthority', 'user@a.example', refused],
    ['setAuthority', 'a.example/path', refused],
    ['setAuthority', 'a.example:0', refused],
    ['setAuthority', 'a.example\r\nX: y', refused],
    ['setAuthority', '0x7f.1', refused],
    ['setAuthority', '', refused],
    ['setScheme', { tag: 'HTTPS' }, taken],
    ['setScheme', { tag: 'other', val: 'ftp' }, taken],
    ['setScheme', { tag: 'other', val: 'f t p' }, refused],
    ['setMethod', { tag: 'other', val: 'M-SEARCH' }, taken],
    ['setMethod', { tag: 'other', val: 'GET / HTTP/1.1\r\n' }, refused],
  ];
  const { value } = await runGuest(
    'setters',
    cases.map(([setter, argument]) => [setter, argument]),
  );
  expect(value).toEqual(cases.map(([, , outcome]) => outcome));
});

test.each<[title: string, wanted: object, tag: string]>([
  ['without an authority', {}, 'HTTP-request-URI-invalid'],
  ['of another scheme', { authority: 'a.example', scheme: 'ftp' }, 'HTTP-protocol-error'],
  ['with a path of 20 KiB', { authority: 'a.example', path: `/${'a'.repeat(20_000)}` }, 'HTTP-request-URI-too-long'],
  [
    'with a head of 64 KiB',
    { authority: 'a.example', headers: [['x', 'a'.repeat(70_000)]] },
    'HTTP-request-header-section-size',
  ],
])('a request %s is refused before anything is asked of the host', async (_title, wanted, tag) => {
  const { value, log } = await runGuest('fetch', wanted, { hosts: ['*'] });
  expect(value).toMatchObject({ error: { tag } });
  expect(log).toEqual([]);
});

test('what was written for requests that are denied or never handed over is given up', async () => {
  const wanted = { authority: 'a.example', writesFirst: true, body: ['a'.repeat(1_000_000)] };
  const { value } = await runGuest('fetch-many', Array(8).fill(wanted));
  expect(value).toEqual(Array(8).fill({ error: { tag: 'HTTP-request-denied' } }));
});

test('a stream that outlives its request writes into no other', async () => {
  const seen: string[] = [];
  const port = await serveHttp(async (request, response) => {
    seen.push(String(await buffer(request)));
    response.end();
  });
  const { value } = await runGuest('late-write', { authority: `127.0.0.1:${port}` }, { hosts: [`127.0.0.1:${port}`] });
  expect(value).toMatchObject({ tag: 'ok', val: { tag: 'ok' } });
  expect(seen).toEqual(['own']);
});
