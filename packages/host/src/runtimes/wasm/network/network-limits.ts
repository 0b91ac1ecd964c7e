/** What one instance may hold and how long it may take, whatever its guest asks for. */
export interface NetworkLimits {
  /** Connections, requests and lookups that are open at once. */
  readonly channels: number;
  /** From the start of a lookup to a usable connection, TLS included. */
  readonly connectMs: number;
  /** From the end of a request to the head of its response. */
  readonly firstByteMs: number;
  /** Between two pieces of a response's body, while the guest waits for one. */
  readonly betweenBytesMs: number;
  /** A whole request, from its start to the end of its response. */
  readonly exchangeMs: number;
  /** The head of a response, and its trailers. */
  readonly headerBytes: number;
  /** The body of one response. */
  readonly bodyBytes: number;
  /** Addresses that stay allowed after a lookup; the oldest goes first. */
  readonly knownAddresses: number;
}

export const NETWORK_LIMITS: NetworkLimits = {
  channels: 32,
  connectMs: 10_000,
  firstByteMs: 60_000,
  betweenBytesMs: 60_000,
  exchangeMs: 300_000,
  headerBytes: 64 * 1024,
  bodyBytes: 128 * 1024 * 1024,
  knownAddresses: 256,
};

/** What waits on the host's side of one connection in each direction, before the system's own buffers. */
export const FLOW_BYTES = 64 * 1024;
