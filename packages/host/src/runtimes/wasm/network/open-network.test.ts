import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { buildComponent } from '../fixtures/build-component.ts';
import { type Guest, loadGuest, newFolder } from '../fixtures/load-guest.ts';
import { closeServers, serveHttp, serveTcp } from './fixtures/servers.ts';
import { webGuest } from './fixtures/web-guest.ts';

const BUILD_LIMIT_MS = 120_000;
const file = join(newFolder('web-guest'), 'web.wasm');
const guests: Guest[] = [];

beforeAll(async () => writeFileSync(file, await buildComponent(webGuest)), BUILD_LIMIT_MS);
afterEach(async () => {
  await Promise.all(guests.splice(0).map(({ plugin }) => plugin.close()));
  closeServers();
});

async function load(hosts: readonly string[]): Promise<Guest> {
  const guest = await loadGuest({ file, grants: { hosts } });
  guests.push(guest);
  return guest;
}

describe('a component that was built by a tool chain', () => {
  test('makes an HTTP request and a TCP connection to a host that is named', async () => {
    const web = await serveHttp(async (request, response) => {
      response.end(`${request.method} ${request.url} ${request.headers['x-from']} ${await buffer(request)}`);
    });
    const echo = await serveTcp((socket) => socket.pipe(socket));
    const { call } = await load([`localhost:${web}`, `127.0.0.1:${echo}`]);
    expect(await call({ act: 'http', host: 'localhost', port: web, text: 'hello' })).toMatchObject({
      content: [{ type: 'text', text: '200 POST /here guest hello' }],
    });
    expect(await call({ act: 'tcp', host: '127.0.0.1', port: echo, text: 'ping' })).toMatchObject({
      content: [{ type: 'text', text: `ping from port ${echo}` }],
    });
  });

  test('is denied everything else, and the log says what would allow it', async () => {
    const { call, context } = await load([]);
    const text = async (input: object) =>
      JSON.stringify(await call({ host: 'a.example', port: 80, text: '', ...input }));
    expect(await text({ act: 'http' })).toContain('HTTP-request-denied');
    expect(await text({ act: 'tcp' })).toContain('access-denied');
    expect(await text({ act: 'udp' })).toContain('access-denied');
    expect(context.logged.map(({ message }) => message)).toEqual([
      'denied: a request to a.example:80; "a.example:80" in toolPolicy.guest.hosts allows it',
      'denied: a lookup of a.example; "a.example:PORT" in toolPolicy.guest.hosts allows it',
    ]);
  });
});
