import type { HeaderEntries, RequestTimeouts } from '../../../network/net-messages.ts';
import type { IoError } from '../../io/io-error.ts';
import { type NetLink, withGuestCode } from '../net-link.ts';
import { createByteBudget } from './byte-budget.ts';
import { Fields } from './fields.ts';
import type { HttpContext } from './http-context.ts';
import { FutureIncomingResponse, FutureTrailers, IncomingBody, IncomingResponse } from './incoming-response.ts';
import { OutgoingBody } from './outgoing-body.ts';
import { OutgoingRequest } from './outgoing-request.ts';
import { RequestOptions } from './request-options.ts';
import { IncomingRequest, OutgoingResponse, ResponseOutparam } from './server-resources.ts';

/** The interfaces as jco calls them. */
export interface HttpInterfaces {
  readonly 'wasi:http/types': {
    readonly Fields: {
      new (): Fields & { clone(): Fields };
      fromList(entries: HeaderEntries): Fields & { clone(): Fields };
    };
    readonly OutgoingRequest: new (headers: Fields) => OutgoingRequest;
    readonly OutgoingBody: typeof OutgoingBody;
    readonly RequestOptions: typeof RequestOptions;
    readonly FutureIncomingResponse: typeof FutureIncomingResponse;
    readonly IncomingResponse: typeof IncomingResponse;
    readonly IncomingBody: typeof IncomingBody;
    readonly FutureTrailers: typeof FutureTrailers;
    readonly IncomingRequest: typeof IncomingRequest;
    readonly OutgoingResponse: typeof OutgoingResponse;
    readonly ResponseOutparam: typeof ResponseOutparam;
    httpErrorCode(error: IoError): unknown;
  };
  readonly 'wasi:http/outgoing-handler': {
    handle(request: OutgoingRequest, options: RequestOptions | undefined): FutureIncomingResponse;
  };
}

/** wasi:http for a guest that makes requests. jco checks that each resource is of the very class that stands here. */
export function createHttp(net: NetLink): HttpInterfaces {
  const context: HttpContext = {
    net,
    budget: createByteBudget(),
    createFields: (entries) => new GuestFields().fill(entries).lock(),
  };

  /** What the guest itself constructs knows its context. */
  class GuestFields extends Fields {
    constructor() {
      super(context.budget);
    }

    static fromList(entries: HeaderEntries): GuestFields {
      const fields = new GuestFields();
      for (const [name, value] of entries) fields.append(name, value);
      return fields;
    }

    clone(): GuestFields {
      return new GuestFields().fill(this.toEntries());
    }
  }

  class GuestRequest extends OutgoingRequest {
    constructor(headers: Fields) {
      super(headers, context);
    }
  }

  /** @throws HttpErrorCode when the request is invalid or not allowed; what fails later is in the response. */
  function handle(request: OutgoingRequest, options: RequestOptions | undefined): FutureIncomingResponse {
    try {
      const { head, body } = OutgoingRequest.toHead(request);
      const channel = withGuestCode(() => net.open('net.http', { ...head, timeouts: timeoutsOf(options) }));
      body?.attach(channel);
      return new FutureIncomingResponse(context, channel);
    } finally {
      request[Symbol.dispose]();
    }
  }

  return {
    'wasi:http/types': {
      Fields: GuestFields,
      OutgoingRequest: GuestRequest,
      OutgoingBody,
      RequestOptions,
      FutureIncomingResponse,
      IncomingResponse,
      IncomingBody,
      FutureTrailers,
      IncomingRequest,
      OutgoingResponse,
      ResponseOutparam,
      httpErrorCode: (error: IoError) => error.codes.http,
    },
    'wasi:http/outgoing-handler': { handle },
  };
}

function timeoutsOf(options: RequestOptions | undefined): RequestTimeouts {
  const [connectMs, firstByteMs, betweenBytesMs] = [
    options?.connectTimeout(),
    options?.firstByteTimeout(),
    options?.betweenBytesTimeout(),
    // At least 1 ms: no timer takes less.
  ].map((duration) => (duration === undefined ? undefined : Math.max(1, Number(duration / 1_000_000n))));
  return {
    ...(connectMs === undefined ? {} : { connectMs }),
    ...(firstByteMs === undefined ? {} : { firstByteMs }),
    ...(betweenBytesMs === undefined ? {} : { betweenBytesMs }),
  };
}
