/** What a kind of request is asked with. */
export type NetPayload<Kind extends keyof NetRequests> = Parameters<NetRequests[Kind]>[0];
export type NetReply<Kind extends keyof NetRequests> = ReturnType<NetRequests[Kind]>;

/**
 * What the worker asks the host for. Everything that takes time has a channel, by its number: the host raises the bits
 * of `channelFlags[channel]` and wakes the worker, which then asks for what is there. So readiness costs no message, and
 * no answer is ever waited for longer than the host takes to look.
 */
export interface NetRequests {
  /** First of all: `wake` is the link's counter, raised after every change of a flag. */
  'net.open': (payload: { readonly wake: SharedArrayBuffer }) => SharedArrayBuffer;
  /** Starts a request. Refused with an HttpErrorCode. */
  'net.http': (payload: RequestHead) => number;
  /** The outcome of `net.http`, once SETTLED. Refused with an HttpErrorCode. */
  'net.response': (payload: number) => ResponseHead;
  /** The trailers of a response that is BODY_DONE. Refused with an HttpErrorCode. */
  'net.trailers': (payload: number) => HeaderEntries;
  /** Reads the rest of a response's body to nowhere, for its trailers. */
  'net.drain': (payload: number) => void;
  /** Starts a lookup. Refused with a SocketErrorCode. */
  'net.lookup': (payload: string) => number;
  /** The addresses, once SETTLED, by their bytes. Refused with a SocketErrorCode. */
  'net.addresses': (payload: number) => readonly (readonly number[])[];
  /** Starts a TCP connection. Refused with a SocketErrorCode. */
  'net.connect': (payload: ConnectTarget) => number;
  /** The outcome of `net.connect`, once SETTLED. Refused with a SocketErrorCode. */
  'net.connected': (payload: number) => ConnectedEnds;
  'net.keep-alive': (payload: KeepAlive & { readonly channel: number }) => void;
  /** Up to `maxBytes`; none when nothing is there yet, null at the end. Refused with the protocol's error code. */
  'net.read': (payload: { readonly channel: number; readonly maxBytes: number }) => Uint8Array | null;
  /** At most FLOW_BYTES, while WRITABLE. */
  'net.write': (payload: { readonly channel: number; readonly bytes: Uint8Array }) => void;
  /** Why nothing can be written: refused with the protocol's error code, or an answer when it was just closed. */
  'net.write-end': (payload: number) => void;
  /** Nothing more is written. */
  'net.finish': (payload: { readonly channel: number; readonly trailers: HeaderEntries }) => void;
  /** Ends the channel and whatever it stands for. */
  'net.close': (payload: number) => void;
}

/** Bits of a channel's flags. */
export const SETTLED = 1;
/** A read gives bytes, the end, or an error. */
export const READABLE = 2;
/** A write is taken. */
export const WRITABLE = 4;
/** Everything that was written has been handed to the system. */
export const FLUSHED = 8;
/** Nothing can be written any more. */
export const WRITE_ENDED = 16;
/** The response's body has been read, or failed. */
export const BODY_DONE = 32;

/** Names as they were written, values as bytes. */
export type HeaderEntries = readonly (readonly [name: string, value: Uint8Array])[];

export interface RequestHead {
  readonly method: string;
  readonly isTls: boolean;
  /** `host` or `host:port`, as the guest wrote it. */
  readonly authority: string;
  readonly path: string;
  readonly headers: HeaderEntries;
  /** Whether a body follows by `net.write` and `net.finish`. */
  readonly hasBody: boolean;
  /** What the guest asks for; the host's own limits hold as well. */
  readonly timeouts: RequestTimeouts;
}

export interface RequestTimeouts {
  readonly connectMs?: number;
  readonly firstByteMs?: number;
  readonly betweenBytesMs?: number;
}

export interface ResponseHead {
  readonly status: number;
  readonly headers: HeaderEntries;
}

/** An address by its 4 or 16 bytes. */
export interface ConnectTarget {
  readonly address: readonly number[];
  readonly port: number;
}

export interface ConnectedEnds {
  readonly local: ConnectTarget;
  readonly remote: ConnectTarget;
}

export interface KeepAlive {
  readonly isEnabled: boolean;
  readonly idleMs: number;
}

/** An `error-code` of wasi:http in jco's form, as far as the host gives them. */
export type HttpErrorCode =
  | { readonly tag: 'DNS-error'; readonly val: { readonly rcode?: string; readonly infoCode?: number } }
  | { readonly tag: 'HTTP-response-body-size' | 'HTTP-request-body-size'; readonly val: bigint | undefined }
  | { readonly tag: 'HTTP-response-header-section-size'; readonly val: number | undefined }
  | { readonly tag: 'HTTP-request-header-section-size'; readonly val: number | undefined }
  | { readonly tag: 'internal-error'; readonly val: string | undefined }
  | {
      readonly tag:
        | 'DNS-timeout'
        | 'HTTP-protocol-error'
        | 'HTTP-request-URI-invalid'
        | 'HTTP-request-URI-too-long'
        | 'HTTP-request-denied'
        | 'HTTP-request-method-invalid'
        | 'HTTP-response-incomplete'
        | 'HTTP-response-timeout'
        | 'HTTP-upgrade-failed'
        | 'TLS-certificate-error'
        | 'TLS-protocol-error'
        | 'connection-limit-reached'
        | 'connection-read-timeout'
        | 'connection-refused'
        | 'connection-terminated'
        | 'connection-timeout'
        | 'destination-IP-prohibited'
        | 'destination-IP-unroutable';
    };

/** An `error-code` of wasi:sockets, as far as the host gives them. */
export type SocketErrorCode =
  | 'unknown'
  | 'access-denied'
  | 'invalid-argument'
  | 'timeout'
  | 'new-socket-limit'
  | 'remote-unreachable'
  | 'connection-refused'
  | 'connection-reset'
  | 'connection-aborted'
  | 'address-in-use'
  | 'name-unresolvable'
  | 'temporary-resolver-failure'
  | 'permanent-resolver-failure';
