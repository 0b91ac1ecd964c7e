import { messageOf } from '@toolpost/protocol';
import { LinkRefusal } from '../host-link.ts';
import type { HttpErrorCode, SocketErrorCode } from './net-messages.ts';

/** Why no connection came about, before it is put into the words of one protocol. */
export type ConnectFailure = 'ip-prohibited' | 'timeout' | 'not-found';

export class ConnectError extends Error {
  override readonly name = 'ConnectError';
  readonly failure: ConnectFailure;

  constructor(failure: ConnectFailure, message: string) {
    super(message);
    this.failure = failure;
  }
}

const HTTP_CODES: Readonly<Record<string, HttpErrorCode>> = {
  ENOTFOUND: { tag: 'DNS-error', val: { rcode: 'NXDOMAIN' } },
  ENODATA: { tag: 'DNS-error', val: { rcode: 'NODATA' } },
  EAI_AGAIN: { tag: 'DNS-error', val: { rcode: 'SERVFAIL' } },
  ECONNREFUSED: { tag: 'connection-refused' },
  ECONNRESET: { tag: 'connection-terminated' },
  ECONNABORTED: { tag: 'connection-terminated' },
  EPIPE: { tag: 'connection-terminated' },
  ETIMEDOUT: { tag: 'connection-timeout' },
  EHOSTUNREACH: { tag: 'destination-IP-unroutable' },
  ENETUNREACH: { tag: 'destination-IP-unroutable' },
  EADDRNOTAVAIL: { tag: 'destination-IP-unroutable' },
  HPE_HEADER_OVERFLOW: { tag: 'HTTP-response-header-section-size', val: undefined },
  EPROTO: { tag: 'TLS-protocol-error' },
};

const CONNECT_CODES: Readonly<Record<ConnectFailure, HttpErrorCode & { tag: string }>> = {
  'ip-prohibited': { tag: 'destination-IP-prohibited' },
  timeout: { tag: 'connection-timeout' },
  'not-found': { tag: 'DNS-error', val: { rcode: 'NODATA' } },
};

const SOCKET_CODES: Readonly<Record<string, SocketErrorCode>> = {
  'ip-prohibited': 'access-denied',
  timeout: 'timeout',
  'not-found': 'name-unresolvable',
  ENOTFOUND: 'name-unresolvable',
  ENODATA: 'name-unresolvable',
  EAI_AGAIN: 'temporary-resolver-failure',
  EAI_FAIL: 'permanent-resolver-failure',
  ECONNREFUSED: 'connection-refused',
  ECONNRESET: 'connection-reset',
  EPIPE: 'connection-reset',
  ECONNABORTED: 'connection-aborted',
  ETIMEDOUT: 'timeout',
  EHOSTUNREACH: 'remote-unreachable',
  ENETUNREACH: 'remote-unreachable',
  EADDRNOTAVAIL: 'address-in-use',
};

/** The refusal that gives a guest an HTTP error code. */
export function httpRefusal(code: HttpErrorCode): LinkRefusal {
  return new LinkRefusal(code.tag, code);
}

/** An error of a request's connection as a guest gets it. */
export function httpRefusalOf(error: unknown): LinkRefusal {
  if (error instanceof LinkRefusal) return error;
  if (error instanceof ConnectError) return httpRefusal(CONNECT_CODES[error.failure]);
  const code = codeOf(error);
  const known = HTTP_CODES[code];
  if (known) return httpRefusal(known);
  if (code.startsWith('HPE_')) return httpRefusal({ tag: 'HTTP-protocol-error' });
  // OpenSSL's reasons to distrust a certificate have no common beginning; all of them name it.
  if (/CERT|SELF_SIGNED|ISSUER|CRL/.test(code)) return httpRefusal({ tag: 'TLS-certificate-error' });
  if (/^ERR_(?:SSL|TLS)/.test(code)) return httpRefusal({ tag: 'TLS-protocol-error' });
  return httpRefusal({ tag: 'internal-error', val: messageOf(error) });
}

export function socketRefusal(code: SocketErrorCode): LinkRefusal {
  return new LinkRefusal(code, code);
}

/** An error of a lookup or a TCP connection as a guest gets it. */
export function socketRefusalOf(error: unknown): LinkRefusal {
  if (error instanceof LinkRefusal) return error;
  const code = error instanceof ConnectError ? error.failure : codeOf(error);
  return socketRefusal(SOCKET_CODES[code] ?? 'unknown');
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
