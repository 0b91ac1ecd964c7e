import type { IncomingMessage } from 'node:http';
import { Problem } from './problem.ts';

/**
 * Refuses what a page of another site makes a browser send. The name in `Host` has to be exactly ours, or a name that
 * somebody pointed at this machine would do; a browser's `Origin` has to be this very server's.
 * @throws Problem FORBIDDEN
 */
export function assertOwnAddress(request: IncomingMessage, port: number): void {
  const { host, origin } = request.headers;
  // Of two names Node gives the first; what stands before this server may have gone by the second.
  if ((request.headersDistinct.host?.length ?? 0) > 1)
    throw new Problem(403, 'FORBIDDEN', 'a request names one host, not several');
  if (!['127.0.0.1', 'localhost'].some((name) => host === `${name}:${port}` || (port === 80 && host === name))) {
    throw new Problem(
      403,
      'FORBIDDEN',
      `this server answers as 127.0.0.1:${port} and localhost:${port} only, not as ${quoted(host)}`,
    );
  }
  if (origin !== undefined && origin !== `http://${host}`) {
    throw new Problem(
      403,
      'FORBIDDEN',
      `requests of pages of ${quoted(origin)} are not answered: only this server's own page may make them`,
    );
  }
}

/**
 * The same for a server whose names are not ours to know: a browser's `Origin` has to be the host that it asked, or one of
 * `origins`.
 * @throws Problem FORBIDDEN
 */
export function assertSameOrigin({ headers: { host, origin } }: IncomingMessage, origins: readonly string[]): void {
  if (origin === undefined || origins.includes(origin)) return;
  if (URL.canParse(origin) && new URL(origin).host === host) return;
  throw new Problem(403, 'FORBIDDEN', `requests of pages of ${quoted(origin)} are not answered here`);
}

function quoted(value: string | undefined): string {
  return JSON.stringify((value ?? '').slice(0, 200));
}
