import { ERROR_CODES, type ErrorCode } from '../error-codes.ts';
import { isJsonObject } from '../json.ts';
import { ApiError } from './api-error.ts';
import type { AbortLike, ClientEnvironment, ResponseLike } from './web-types.ts';

export interface ClientOptions {
  /** Like `http://127.0.0.1:7417`, without a final slash; "" in a page of the server itself. */
  readonly baseUrl: string;
  readonly token: string;
  /** `globalThis` fits. */
  readonly environment: ClientEnvironment;
}

export interface RequestOptions {
  readonly method?: string;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortLike | undefined;
}

/**
 * Sends one request.
 * @throws ApiError for an answer that is none of success, and for no answer at all.
 */
export async function send(client: ClientOptions, path: string, options: RequestOptions = {}): Promise<ResponseLike> {
  const { method = 'GET', query = {}, body, headers = {}, signal } = options;
  const { baseUrl, token, environment } = client;
  const init = {
    method,
    headers: {
      ...headers,
      authorization: `Bearer ${token}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  };
  let response: ResponseLike;
  try {
    response = await environment.fetch(`${baseUrl}${path}${queryText(query)}`, init);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ApiError(0, undefined, `${baseUrl || 'the server'} does not answer: ${reason}`, { cause: error });
  }
  if (!response.ok) throw await toApiError(response);
  return response;
}

function queryText(query: Readonly<Record<string, string | number | undefined>>): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
  );
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

async function toApiError(response: ResponseLike): Promise<ApiError> {
  const text = await response.text().catch(() => '');
  const problem = parse(text);
  const detail = typeof problem?.detail === 'string' ? problem.detail : `the server answered ${response.status}`;
  return new ApiError(response.status, codeOf(problem?.code), detail);
}

function codeOf(code: unknown): ErrorCode | undefined {
  return typeof code === 'string' && Object.hasOwn(ERROR_CODES, code) ? (code as ErrorCode) : undefined;
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
