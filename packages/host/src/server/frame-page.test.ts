import { expect, it } from 'vitest';
import { createServerWorld } from './fixtures/server-world.ts';
import { framePageHeaders, frameSource } from './frame-page.ts';

it('refuses a page of the frame that says no policy', () => {
  expect(() => framePageHeaders(new TextEncoder().encode('<!doctype html><p>'))).toThrow(/no policy/);
});

it('says the policy of the page, and beside it what only a header can say', () => {
  const page = '<meta http-equiv="content-security-policy" content="default-src \'none\'">';
  const headers = framePageHeaders(new TextEncoder().encode(page));
  expect(headers['content-security-policy']).toBe("sandbox allow-scripts; frame-ancestors 'self'; default-src 'none'");
  expect(headers['permissions-policy']).toContain('camera=()');
  // Chromium knows none of these any more, or only by an origin trial, and says so in the console of each interface.
  expect(headers['permissions-policy']).not.toMatch(
    /ambient-light-sensor|attribution-reporting|focus-without-user-activation|run-ad-auction|shared-storage/,
  );
});

it.each([
  ['127.0.0.1:4711', '127.0.0.1:4711/frame/'],
  ['[::1]:80', '[::1]:80/frame/'],
  ["a; script-src 'unsafe-inline'", "'none'"],
  ['a b', "'none'"],
  [undefined, "'none'"],
])('lets the page of %j frame %j', (host, source) => {
  expect(frameSource(host)).toBe(source);
});

it('gives every file with the headers that keep others from taking it in', async () => {
  await using world = await createServerWorld({ servesClient: true });
  for (const path of ['/', '/frame/', '/docs', '/nothing']) {
    const { headers } = await world.raw(path);
    expect(headers, path).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-resource-policy': 'same-origin',
      'x-frame-options': path === '/frame/' ? 'SAMEORIGIN' : 'DENY',
    });
  }
  const page = await world.raw('/frame/');
  expect(page.headers['content-security-policy']).toMatch(
    /^sandbox allow-scripts; .*script-src 'sha256-[^']+' 'unsafe-eval'/,
  );
  expect((await world.raw('/')).headers['content-security-policy']).toMatch(/; frame-src 127\.0\.0\.1:\d+\/frame\/$/);
  // The page has one address: elsewhere it would come without its policy.
  expect((await world.raw('/frame/frame.html')).status).toBe(404);
  expect((await world.raw('/frame/echarts.js')).status).toBe(200);
});
