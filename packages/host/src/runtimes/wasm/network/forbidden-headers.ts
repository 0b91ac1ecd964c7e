/** What belongs to the connection and its host, not to the guest. The list of wasmtime's implementation of wasi:http. */
const FORBIDDEN = new Set([
  'connection',
  'host',
  'http2-settings',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'transfer-encoding',
  'upgrade',
]);

export function isForbiddenHeader(name: string): boolean {
  return FORBIDDEN.has(name.toLowerCase());
}
