import { parseHost, parsePort, splitPort } from '../../../../../permissions/host-policy.ts';
import type { HttpErrorCode } from '../../../network/net-messages.ts';
import { type Fields, sectionBytes } from './fields.ts';
import type { HttpContext } from './http-context.ts';
import { OutgoingBody } from './outgoing-body.ts';

/** `method` and `scheme` of wasi:http in jco's form. */
export interface Tagged {
  readonly tag: string;
  readonly val?: string;
}

const METHOD = /^[!#$%&'*+\-.^_`|~\da-zA-Z]{1,64}$/;
/** Visible ASCII without `#`, which no server is sent. */
const PATH = /^[\x21\x22\x24-\x7e]*$/;
const MAX_PATH_CHARS = 16 * 1024;
const MAX_HEADER_BYTES = 64 * 1024;

/** The resource `outgoing-request` of wasi:http. What a setter does not take is thrown as `undefined`: it has no words. */
export class OutgoingRequest {
  readonly #context: HttpContext;
  readonly #headers: Fields;
  #method: Tagged = { tag: 'get' };
  #path: string | undefined;
  #scheme: Tagged | undefined;
  #authority: string | undefined;
  #body: OutgoingBody | undefined;

  constructor(headers: Fields, context: HttpContext) {
    this.#headers = headers.lock();
    this.#context = context;
  }

  body(): OutgoingBody {
    if (this.#body) throw undefined;
    this.#body = new OutgoingBody(this.#context, this.#contentLength());
    return this.#body;
  }

  method(): Tagged {
    return this.#method;
  }

  setMethod(method: Tagged): void {
    if (method.tag === 'other' && !METHOD.test(method.val ?? '')) throw undefined;
    this.#method = method;
  }

  pathWithQuery(): string | undefined {
    return this.#path;
  }

  /** Only what begins with the path: a whole address here would name a host beside the authority. */
  setPathWithQuery(path: string | undefined): void {
    if (path !== undefined && !(PATH.test(path) && (/^[/?]/.test(path) || path === '*' || path === '')))
      throw undefined;
    this.#path = path;
  }

  scheme(): Tagged | undefined {
    return this.#scheme;
  }

  setScheme(scheme: Tagged | undefined): void {
    if (scheme?.tag === 'other' && !/^[a-z][a-z\d+.-]*$/i.test(scheme.val ?? '')) throw undefined;
    this.#scheme = scheme;
  }

  authority(): string | undefined {
    return this.#authority;
  }

  setAuthority(authority: string | undefined): void {
    const [host, port] = splitPort(authority ?? '');
    const isValid = parseHost(host) !== undefined && (port === undefined || parsePort(port) !== undefined);
    if (authority !== undefined && !isValid) throw undefined;
    this.#authority = authority;
  }

  headers(): Fields {
    return this.#context.createFields(this.#headers.toEntries());
  }

  [Symbol.dispose](): void {
    this.#headers[Symbol.dispose]();
    this.#body?.discard();
  }

  /** What goes to the host, without time limits, and the body that follows. @throws HttpErrorCode */
  static toHead(request: OutgoingRequest) {
    const headers = request.#headers.toEntries();
    const problem = request.#problem();
    if (problem) throw problem;
    const path = request.#path ?? '/';
    return {
      body: request.#body,
      head: {
        method: request.#method.tag === 'other' ? (request.#method.val ?? '') : request.#method.tag.toUpperCase(),
        isTls: request.#scheme?.tag !== 'HTTP',
        authority: request.#authority ?? '',
        path: path === '' || path.startsWith('?') ? `/${path}` : path,
        headers,
        hasBody: request.#body?.hasContent ?? false,
      },
    };
  }

  #problem(): HttpErrorCode | undefined {
    if (this.#authority === undefined) return { tag: 'HTTP-request-URI-invalid' };
    if (this.#scheme?.tag === 'other') return { tag: 'HTTP-protocol-error' };
    if ((this.#path?.length ?? 0) > MAX_PATH_CHARS) return { tag: 'HTTP-request-URI-too-long' };
    const bytes = sectionBytes(this.#headers.toEntries());
    if (bytes > MAX_HEADER_BYTES) return { tag: 'HTTP-request-header-section-size', val: bytes };
    const length = this.#contentLength();
    if (Number.isNaN(length)) return { tag: 'HTTP-protocol-error' };
    if (!this.#body && (length ?? 0) > 0) return { tag: 'HTTP-request-body-size', val: 0n };
    return this.#body?.problem;
  }

  /** NaN when the headers say several lengths, or none that is one: what a server made of it would be anyone's guess. */
  #contentLength(): number | undefined {
    const values = this.#headers.get('content-length').map((value) => new TextDecoder().decode(value));
    if (values.length === 0) return undefined;
    return values.length === 1 && /^\d{1,15}$/.test(values[0] ?? '') ? Number(values[0]) : Number.NaN;
  }
}
