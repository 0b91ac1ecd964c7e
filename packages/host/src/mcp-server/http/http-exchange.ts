import type { Principal } from '../../server/principal.ts';

/** One HTTP request whose body is read and whose token is known. */
export interface HttpRequest {
  readonly method: string;
  readonly body: string;
  readonly principal: Principal;
  /** Of a name in lower case. */
  header(name: string): string | undefined;
}

/** A body of one or more parts, in order. */
export type HttpBody = readonly (string | Uint8Array)[];

/** Answers an HTTP request: with `send` or with `openStream`, once. */
export interface HttpReply {
  send(status: number, headers: Readonly<Record<string, string>>, body: HttpBody): void;
  openStream(status: number, headers: Readonly<Record<string, string>>): HttpStream;
  /** Calls `listener` when the client goes away before the answer is whole. */
  onGone(listener: () => void): void;
}

/** A body that is written as it comes. */
export interface HttpStream {
  write(part: string | Uint8Array): void;
  end(): void;
  /** The client has much to read still. */
  readonly isBehind: boolean;
  /** Calls `listener` once when it has taken what there is. */
  onCaughtUp(listener: () => void): void;
}

/** Of a stream; the name of the header that keeps proxies from collecting it is nginx's. */
export const STREAM_HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
};

export const JSON_HEADERS: Readonly<Record<string, string>> = { 'content-type': 'application/json' };
