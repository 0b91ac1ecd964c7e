import { type ErrorCode, HostError } from '@toolpost/protocol';

/** What goes wrong in a request, with the status that says so. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly status: number;
  readonly code: ErrorCode;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, code: ErrorCode, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.headers = headers;
  }
}

const STATUS_OF: Readonly<Partial<Record<ErrorCode, number>>> = {
  SESSION_NOT_FOUND: 404,
  PLUGIN_NOT_FOUND: 404,
  NOT_FOUND: 404,
  MODEL_FAILED: 422,
  CONFIG_INVALID: 422,
  REQUEST_INVALID: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  RUNS_ELSEWHERE: 409,
  SERVER_BUSY: 429,
  CONNECTION_CLOSED: 503,
  SESSION_STORE_FAILED: 503,
  PLUGIN_LOAD_FAILED: 502,
  PLUGIN_EXITED: 502,
  PROTOCOL_MISMATCH: 502,
};

const TITLES: Readonly<Record<number, string>> = {
  400: 'Bad request',
  401: 'No valid token',
  403: 'Not permitted',
  404: 'Not found',
  405: 'No such method',
  409: 'Not possible now',
  413: 'Too large',
  415: 'Not JSON',
  422: 'Cannot be done so',
  429: 'Too much at once',
  500: 'A bug in Toolpost',
  502: 'A plugin failed',
  503: 'Not available',
};

/** Turns whatever a handler threw into a problem; `onBug` hears of what nobody meant to throw. */
export function toProblem(error: unknown, onBug: (error: unknown) => void): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof HostError) return new Problem(STATUS_OF[error.code] ?? 500, error.code, error.message);
  onBug(error);
  return new Problem(500, 'SERVER_FAILED', 'the server failed at this request: its log says more');
}

/** RFC 9457. `redact` masks what a message may quote. */
export function problemResponse(
  { status, code, message, headers }: Problem,
  redact: (text: string) => string,
): Response {
  const body = { type: 'about:blank', title: TITLES[status] ?? 'Failed', status, code, detail: redact(message) };
  return new Response(JSON.stringify(body), {
    status,
    headers: {
      ...headers,
      'content-type': 'application/problem+json',
      // The rest of what is too long is read by nobody.
      ...(status === 413 && { connection: 'close' }),
      ...(status === 401 && { 'www-authenticate': 'Bearer realm="toolpost"' }),
    },
  });
}
