import { formatHostPort, type Host } from '../../../permissions/host-policy.ts';
import { isForbiddenHeader } from './forbidden-headers.ts';
import type { HeaderEntries, RequestHead } from './net-messages.ts';

/** Methods for which no body is not worth a word. */
const BODILESS = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE']);

/** The authority in its one spelling, without the port that goes without saying: what was checked, not what was written. */
export function authorityOf({ host, port }: { host: Host; port: number }, isTls: boolean): string {
  return formatHostPort(host, port).replace(isTls ? /:443$/ : /:80$/, '');
}

/** Bytes as Node takes them in headers: one character each. */
export function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('latin1');
}

/**
 * The whole head of a request as Node takes it: what the guest set, and what is ours to say, the host (always the
 * authority that was checked) and where the body ends. Left to itself, Node sends a GET's body without a word of it.
 */
export function toRawHeaders({ method, authority, headers }: RequestHead, hasBody: boolean): string[] {
  const isSized = headers.some(([name]) => name.toLowerCase() === 'content-length');
  const raw = ['Host', authority];
  for (const [name, value] of headers) if (!isForbiddenHeader(name)) raw.push(name, latin1(value));
  if (isSized) return raw;
  if (hasBody) raw.push('Transfer-Encoding', 'chunked');
  else if (!BODILESS.has(method)) raw.push('Content-Length', '0');
  return raw;
}

/** Node's flat list as entries, without what concerned the connection only. */
export function fromRawHeaders(raw: readonly string[]): HeaderEntries {
  const entries: [string, Uint8Array][] = [];
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = raw[at] ?? '';
    if (!isForbiddenHeader(name)) entries.push([name, new Uint8Array(Buffer.from(raw[at + 1] ?? '', 'latin1'))]);
  }
  return entries;
}
