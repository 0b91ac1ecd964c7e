/**
 * All that a browser would let a page do beyond showing itself. Of names that it does not know, Chromium complains in the
 * console of each page.
 */
const FEATURES = [
  ...['accelerometer', 'autoplay', 'browsing-topics'],
  ...['camera', 'clipboard-read', 'clipboard-write', 'compute-pressure', 'cross-origin-isolated', 'display-capture'],
  ...['encrypted-media', 'fullscreen', 'gamepad', 'geolocation', 'gyroscope', 'hid', 'identity-credentials-get'],
  ...['idle-detection', 'keyboard-map', 'local-fonts', 'magnetometer', 'microphone', 'midi'],
  ...['otp-credentials', 'payment', 'picture-in-picture', 'publickey-credentials-create'],
  ...['publickey-credentials-get', 'screen-wake-lock', 'serial', 'speaker-selection'],
  ...['storage-access', 'sync-xhr', 'unload', 'usb', 'window-management', 'xr-spatial-tracking'],
  ...['aria-notify', 'deferred-fetch', 'deferred-fetch-minimal', 'interest-cohort', 'media-playback-while-not-visible'],
  ...['private-state-token-issuance', 'private-state-token-redemption'],
];

const PERMISSIONS_POLICY = FEATURES.map((name) => `${name}=()`).join(', ');

const headersOf = new WeakMap<Uint8Array, Readonly<Record<string, string>>>();

/**
 * The headers of the page in which interfaces run. Its policy stands in it, made with it; the header says it again, and
 * what only a header can say: it has no origin, also when it is opened by itself, and nobody but this server's own page
 * may frame it.
 * @throws Error when the page has none
 */
export function framePageHeaders(page: Uint8Array): Readonly<Record<string, string>> {
  const known = headersOf.get(page);
  if (known) return known;
  const headers = {
    'content-security-policy': `sandbox allow-scripts; frame-ancestors 'self'; ${policyOf(page)}`,
    'permissions-policy': PERMISSIONS_POLICY,
    'x-frame-options': 'SAMEORIGIN',
    'x-dns-prefetch-control': 'off',
    // A page without an origin is not shown at all where it says more.
    'cross-origin-opener-policy': 'unsafe-none',
    'cache-control': 'no-cache',
  };
  headersOf.set(page, headers);
  return headers;
}

/** It stands near the beginning, before anything that it governs. */
function policyOf(page: Uint8Array): string {
  const head = new TextDecoder().decode(page.subarray(0, 4_096));
  const policy = /<meta http-equiv="content-security-policy" content="([^"]+)">/.exec(head)?.[1];
  if (policy === undefined) throw new Error('the page of the frame has no policy: build it again with npm run build');
  return policy;
}

/** The one address that the client may frame, as a policy says it: a frame that leaves it is not shown. */
export function frameSource(host: string | undefined): string {
  return host !== undefined && /^[\w.:[\]-]+$/.test(host) ? `${host}/frame/` : "'none'";
}
