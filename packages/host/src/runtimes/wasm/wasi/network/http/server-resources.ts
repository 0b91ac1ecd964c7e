/**
 * The resources of `wasi:http/types` for whoever answers requests. They are in the interface that a guest imports as a
 * whole, but nothing here sends a guest any request, so that it gets none of them.
 */
export class OutgoingResponse {
  constructor() {
    throw new Error('a plugin answers no HTTP requests: it has no use for an outgoing-response');
  }
}

/** A guest cannot construct it: the interface gives no way to. */
export class IncomingRequest {}

/** A guest cannot construct it: the interface gives no way to. */
export class ResponseOutparam {}
